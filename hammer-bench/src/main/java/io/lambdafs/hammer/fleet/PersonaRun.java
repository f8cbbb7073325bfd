package io.lambdafs.hammer.fleet;

import io.lambdafs.hammer.Latency;
import io.lambdafs.hammer.ReplayResult;
import io.lambdafs.hammer.SeriesPoint;
import io.lambdafs.hammer.Workload;
import java.util.List;

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

    double usdPerMillionOps() {
        long done = result.operations() - result.failed();
        return done == 0 ? 0 : usd() * 1e6 / done;
    }
}
