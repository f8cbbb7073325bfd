package io.lambdafs.hammer.fleet;

import io.lambdafs.hammer.Latency;
import io.lambdafs.hammer.ReplayResult;
import io.lambdafs.hammer.SeriesPoint;
import io.lambdafs.hammer.Workload;
import java.util.List;

/**
 * What one service made of the workload. Immutable.
 *
 * @param vcpu processors that it could use at most
 * @param workload what was asked of it
 */
public record PersonaRun(Persona persona, double vcpu, Workload workload, ReplayResult result, PriceTable prices) {
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

    /** What it cost by the model that fits it. */
    double usd() {
        return persona.isServerless()
                ? result.cost().payPerUseUsd()
                : prices.machinesUsd(vcpu, Math.max(workload.length().toMillis() / 1e3, result.seconds()));
    }

    double usdPerMillionOps() {
        long done = result.operations() - result.failed();
        return done == 0 ? 0 : usd() * 1e6 / done;
    }
}
