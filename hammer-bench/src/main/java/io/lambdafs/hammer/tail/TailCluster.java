package io.lambdafs.hammer.tail;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.replay.Time;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A cluster for a measure, with files on it and instances connected; all turns share the connections. Confined to one
 * thread.
 */
final class TailCluster implements AutoCloseable {
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(60);
    private static final int TWO = 2;

    private final TailSettings settings;
    private final TemporaryCluster cluster;
    private final GatewayClient gateway;
    /** Keeps the connections between turns. */
    private final LambdaFs holder;

    TailCluster(TailSettings settings, Console console) {
        this.settings = settings;
        cluster = TemporaryCluster.start(settings.measure().startOptions(), console);
        try {
            gateway = cluster.cluster().gateway().client();
            holder = open(true);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private LambdaFs open(boolean on) {
        ClientConfigBuilder builder =
                ClientConfigBuilder.load(cluster.cluster().directory().client());
        return LambdaFs.open(settings.measure().configure(builder, on).build());
    }

    /** Creates the files again and again until both instances are connected: a burst is more than one of them takes. */
    void prepare() throws InterruptedException {
        long deadline = System.nanoTime() + CONNECT_LIMIT.toNanos();
        do {
            Load.prepare(holder::execute);
            if (System.nanoTime() - deadline > 0) {
                throw new FsException(
                        ErrorCode.TIMED_OUT,
                        "only " + holder.metrics().snapshot().connections() + " instances have connected within "
                                + CONNECT_LIMIT.toSeconds() + " s: " + gateway.instances());
            }
        } while (holder.metrics().snapshot().connections() < TWO);
        // A write of the burst that was given up may still be in flight.
        TimeUnit.SECONDS.sleep(1);
    }

    Turn turn(boolean on, long seed) throws InterruptedException {
        try (LambdaFs client = open(on)) {
            if (settings.measure() != Measure.STRAGGLERS) {
                return turn(on, seed, client, () -> 0);
            }
            Duration every = Duration.ofMillis(settings.everyMillis());
            try (Freezer freezer = new Freezer(pids(), every, Duration.ofMillis(settings.stopMillis()))) {
                return turn(on, seed, client, freezer::stops);
            }
        }
    }

    private Turn turn(boolean on, long seed, LambdaFs client, IntSupplier stops) throws InterruptedException {
        return counted(
                on,
                warmUp -> new Load(
                                client::execute, Time.REAL, settings.measure().writes())
                        .run(
                                settings.window(),
                                settings.ops(),
                                warmUp ? WARM_UP : Duration.ofSeconds(settings.seconds()),
                                warmUp ? ~seed : seed),
                () -> readings(client.metrics().snapshot(), stops.getAsInt()));
    }

    /** Runs a load. */
    @FunctionalInterface
    interface Loading {
        Load.Outcome run(boolean warmUp) throws InterruptedException;
    }

    /**
     * Runs the warm-up, of which only failures count, and then the load.
     */
    static Turn counted(boolean on, Loading load, Supplier<Readings> readings) throws InterruptedException {
        Load.Outcome warmUp = load.run(true);
        Readings before = readings.get();
        Load.Outcome outcome = load.run(false);
        return new Turn(on, outcome.after(warmUp), readings.get().since(before));
    }

    private Readings readings(ClientMetrics.Snapshot counts, int stops) {
        JsonNode usage = gateway.usage();
        long starts = 0;
        for (JsonNode each : usage.path("starts")) {
            starts += each.asLong();
        }
        return new Readings(
                stops,
                counts.stragglers(),
                counts.thrashings(),
                counts.strays(),
                counts.http(),
                starts,
                usage.path("cost").path("payPerUseUsd").asDouble());
    }

    private List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        for (JsonNode each : gateway.instances()) {
            if (!each.path("deployment").asText().isEmpty() && each.path("pid").asLong() > 0) {
                pids.add(each.path("pid").asLong());
            }
        }
        if (pids.size() < TWO) {
            throw FsException.unavailable("an instance has gone: " + gateway.instances());
        }
        return pids;
    }

    @Override
    public void close() {
        holder.close();
        cluster.close();
    }
}
