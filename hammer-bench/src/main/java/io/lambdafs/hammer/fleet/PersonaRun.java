package io.lambdafs.hammer.fleet;

import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The result of one service under the workload. Immutable.
 *
 * @param size its maximum size
 * @param workload the load that it was given
 */
public record PersonaRun(Persona persona, FleetSize size, Workload workload, ReplayResult result, PriceTable prices) {
    /** Returns the latency of operations scheduled in the burst. */
    Latency inBurst() {
        return result.phases().getOrDefault(ReplayResult.BURST, Latency.NONE);
    }

    /** Returns the latency of reads in the burst: read, stat and ls. */
    Latency readsInBurst() {
        return result.phases().getOrDefault(ReplayResult.BURST_READS, Latency.NONE);
    }

    /**
     * Returns the number of operations that failed, were answered wrongly or were not done; 0 unless the service
     * scales, and so has to do them all.
     */
    long failed() {
        return persona.scales() ? result.failed() : 0;
    }

    /** Returns the same number for a service of fixed size, for which the load may be too much. */
    long notDone() {
        return persona.scales() ? 0 : result.failed();
    }

    /** Describes {@link #failed} or {@link #notDone}, for people. */
    String failedText() {
        return String.format(Locale.ROOT, notDone() > 0 ? "not done %,d" : "%,d", result.failed());
    }

    /** Returns the latency of the other operations. */
    Latency outsideBurst() {
        return result.phases().getOrDefault(ReplayResult.CALM, Latency.NONE);
    }

    /** Returns the operations done per second during the burst. */
    double burstOpsPerSecond() {
        return result.series().stream()
                .filter(point -> workload.isBurst(point.seconds() - 0.5))
                .mapToDouble(SeriesPoint::opsPerSecond)
                .average()
                .orElse(0);
    }

    double vcpu() {
        return size.vcpu();
    }

    /** Returns the time from the start to the last operation's end, at least the length of the load. */
    private double seconds() {
        return Math.max(workload.length().toMillis() / 1e3, result.seconds());
    }

    /** Returns the cost by the model that fits the service. */
    double usd() {
        if (persona == Persona.HELD) {
            return usd(CostModel.HELD);
        }
        return usd(persona.isServerless() ? CostModel.PAY_PER_USE : CostModel.MACHINES);
    }

    /** Returns the cost by a model. */
    double usd(CostModel model) {
        return switch (model) {
            case PAY_PER_USE -> result.cost().payPerUseUsd();
            case SIMPLIFIED -> result.cost().simplifiedUsd();
            case HELD -> prices.heldUsd((long) result.peakInstances() * size.memoryMb(), seconds());
            case MACHINES -> prices.machinesUsd(vcpu(), seconds());
        };
    }

    /** Returns the cost, by the model that fits the service, until the end of an interval. */
    double usdAt(SeriesPoint point) {
        if (persona == Persona.HELD) {
            return usd() * point.seconds() / Math.max(point.seconds(), result.seconds());
        }
        return persona.isServerless() ? point.payPerUseUsd() : prices.machinesUsd(vcpu(), point.seconds());
    }

    /**
     * Returns the performance per cost of each second (the paper's figure 8c): operations per second, over the cost of
     * that second in USD; 0 if it cost nothing.
     */
    List<Double> opsPerUsd() {
        List<Double> all = new ArrayList<>();
        double usd = 0;
        double seconds = 0;
        for (SeriesPoint point : result.series()) {
            double spent = (usdAt(point) - usd) / Math.max(1e-3, point.seconds() - seconds);
            all.add(spent <= 0 ? 0 : point.opsPerSecond() / spent);
            usd = usdAt(point);
            seconds = point.seconds();
        }
        return all;
    }

    /** Returns the most instances of each deployment; empty if they are not known. */
    List<Integer> peaks() {
        List<Integer> peaks = new ArrayList<>();
        for (SeriesPoint point : result.series()) {
            for (int i = 0; i < point.instancesByDeployment().size(); i++) {
                int count = point.instancesByDeployment().get(i);
                if (i == peaks.size()) {
                    peaks.add(count);
                } else {
                    peaks.set(i, Math.max(peaks.get(i), count));
                }
            }
        }
        return peaks;
    }

    /** Describes, for a service that scales, how each deployment grew, and where its listings came from. */
    Optional<String> growth() {
        if (!persona.scales() || !result.listings().isTold()) {
            return Optional.empty();
        }
        String peaks = peaks().stream().map(String::valueOf).collect(Collectors.joining("+"));
        return Optional.of(persona.label() + ": at most " + peaks + " instances of its deployments; "
                + result.listings().line());
    }

    double usdPerMillionOps() {
        long done = result.operations() - result.failed();
        return done == 0 ? 0 : usd() * 1e6 / done;
    }
}
