package io.lambdafs.hammer.fleet;

import io.lambdafs.hammer.Latency;
import io.lambdafs.hammer.ReplayResult;
import io.lambdafs.hammer.SeriesPoint;
import io.lambdafs.hammer.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What one service made of the workload. Immutable.
 *
 * @param size what it could have at most
 * @param workload what was asked of it
 */
public record PersonaRun(Persona persona, FleetSize size, Workload workload, ReplayResult result, PriceTable prices) {
    private static final Latency NONE = new Latency(0, 0, 0, 0, 0, 0, 0, List.of());

    /** Latency of what was meant to start in the burst. */
    Latency inBurst() {
        return result.phases().getOrDefault(ReplayResult.BURST, NONE);
    }

    /** Latency of the reads in it: read, stat and ls. */
    Latency readsInBurst() {
        return result.phases().getOrDefault(ReplayResult.BURST_READS, NONE);
    }

    /** Operations that failed, were answered wrongly or were not done by one that scales: it is to do them all. */
    long failed() {
        return persona.scales() ? result.failed() : 0;
    }

    /** The same of a service of fixed size, for which the load may be too much. */
    long notDone() {
        return persona.scales() ? 0 : result.failed();
    }

    /** What {@link #failed} and {@link #notDone} come to, for people. */
    String failedText() {
        return String.format(Locale.ROOT, notDone() > 0 ? "not done %,d" : "%,d", result.failed());
    }

    /** Latency of the rest. */
    Latency outsideBurst() {
        return result.phases().getOrDefault(ReplayResult.CALM, NONE);
    }

    /** Operations done a second while the burst lasted. */
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

    /** From the first second to the last operation's end, and at least as long as the load. */
    private double seconds() {
        return Math.max(workload.length().toMillis() / 1e3, result.seconds());
    }

    /** What it cost by the model that fits it. */
    double usd() {
        if (persona == Persona.HELD) {
            return usd(CostModel.HELD);
        }
        return usd(persona.isServerless() ? CostModel.PAY_PER_USE : CostModel.MACHINES);
    }

    /** What it would have cost by a model. */
    double usd(CostModel model) {
        return switch (model) {
            case PAY_PER_USE -> result.cost().payPerUseUsd();
            case SIMPLIFIED -> result.cost().simplifiedUsd();
            case HELD -> prices.heldUsd((long) result.peakInstances() * size.memoryMb(), seconds());
            case MACHINES -> prices.machinesUsd(vcpu(), seconds());
        };
    }

    /** What it has cost by the model that fits it until the end of a second. */
    double usdAt(SeriesPoint point) {
        if (persona == Persona.HELD) {
            return usd() * point.seconds() / Math.max(point.seconds(), result.seconds());
        }
        return persona.isServerless() ? point.payPerUseUsd() : prices.machinesUsd(vcpu(), point.seconds());
    }

    /**
     * Performance per cost of each second (the paper's figure 8c): operations done a second, over what that second has cost in USD; 0 where it
     * cost nothing.
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

    double usdPerMillionOps() {
        long done = result.operations() - result.failed();
        return done == 0 ? 0 : usd() * 1e6 / done;
    }
}
