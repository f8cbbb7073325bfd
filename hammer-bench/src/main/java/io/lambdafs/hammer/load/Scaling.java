package io.lambdafs.hammer.load;

import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The growth and decline of a run's instances. Immutable.
 *
 * @param deployment the one that grew most, numbered from 0
 * @param from its minimum number of instances before its peak, while the load ran
 * @param peak its maximum number of instances
 * @param zeroAfterSeconds from the last operation's end until no deployment had an instance; empty if some were left
 */
record Scaling(int deployment, int from, int peak, OptionalDouble zeroAfterSeconds) {
    static Scaling of(ReplayResult result) {
        List<SeriesPoint> series = result.series();
        int deployments =
                series.isEmpty() ? 0 : series.get(0).instancesByDeployment().size();
        Scaling best = new Scaling(0, 0, 0, OptionalDouble.empty());
        for (int i = 0; i < deployments; i++) {
            Scaling one = ofDeployment(series, i);
            int more = (one.peak - one.from) - (best.peak - best.from);
            if (more > 0 || (more == 0 && one.peak > best.peak)) {
                best = one;
            }
        }
        return new Scaling(best.deployment, best.from, best.peak, zeroAfter(result));
    }

    private static Scaling ofDeployment(List<SeriesPoint> series, int deployment) {
        int least = Integer.MAX_VALUE;
        Scaling best = new Scaling(deployment, 0, 0, OptionalDouble.empty());
        for (SeriesPoint point : series) {
            int now = point.instancesByDeployment().get(deployment);
            if (now > 0 || least < Integer.MAX_VALUE) {
                least = Math.min(least, Math.max(1, now));
            }
            if (now > best.peak) {
                best = new Scaling(deployment, Math.min(least, now), now, OptionalDouble.empty());
            }
        }
        return best;
    }

    private static OptionalDouble zeroAfter(ReplayResult result) {
        for (SeriesPoint point : result.series()) {
            boolean none = point.instancesByDeployment().stream().allMatch(count -> count == 0);
            if (none && point.seconds() >= result.seconds()) {
                return OptionalDouble.of(point.seconds() - result.seconds());
            }
        }
        return OptionalDouble.empty();
    }

    /** Describes the result for people. */
    String line() {
        String end = zeroAfterSeconds.isPresent()
                ? String.format(
                        Locale.ROOT,
                        "no instance was left %.0f s after the last operation",
                        zeroAfterSeconds.getAsDouble())
                : "some instances were left when watching ended";
        if (peak == 0) {
            return "scaling: no instance was seen while the load ran; " + end;
        }
        if (peak == from) {
            return String.format(
                    Locale.ROOT, "scaling: no deployment grew, deployment %d stayed at %d; %s", deployment, peak, end);
        }
        return String.format(
                Locale.ROOT, "scaling: deployment %d went from %d to %d instances; %s", deployment, from, peak, end);
    }
}
