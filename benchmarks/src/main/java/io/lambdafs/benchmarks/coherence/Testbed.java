package io.lambdafs.benchmarks.coherence;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.GatewayClient;
import io.lambdafs.cluster.InstanceState;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.Pipeline;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.platform.MetricsPage;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** The cluster of one side and a client connected to all its instances. Confined to one thread. */
final class Testbed implements AutoCloseable {
    private static final FsPath ROOT = FsPath.of("/bench-coherence");
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final int BURST = 2_048;
    private static final int REPLACEMENTS = 1_000_000;
    private static final int HTTP_IN_FLIGHT = 64;
    private static final int READS = 64;
    private static final double MICROS = 1e6;

    private final Side side;
    private final int instances;
    private final TemporaryCluster cluster;
    private final GatewayClient gateway;
    private final LambdaFs client;
    private int turns;

    Testbed(Side side, int instances, Console console) {
        this.side = side;
        this.instances = instances;
        cluster = TemporaryCluster.start(side.startOptions(instances), console);
        try {
            gateway = cluster.cluster().gatewayClient();
            client = open(0);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Opens a client. Clients that differ only in this probability share their connections. */
    private LambdaFs open(double httpProbability) {
        return LambdaFs.open(
                ClientConfigBuilder.load(cluster.cluster().directory().client())
                        .http(new ClientConfig.HttpUse(httpProbability, REPLACEMENTS, HTTP_IN_FLIGHT))
                        .build());
    }

    Side side() {
        return side;
    }

    /** Makes calls, some by HTTP, until the platform has started all instances and each is connected. */
    void prepare() throws InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        try (LambdaFs starter = open(ClientConfig.HttpUse.MAX_PROBABILITY)) {
            for (int burst = 0; byTcp() < instances; burst++) {
                if (System.nanoTime() - deadline > 0) {
                    throw new FsException(
                            ErrorCode.TIMED_OUT, "not all instances have started: " + gateway.instances());
                }
                Pipeline pipeline = new Pipeline(starter::execute);
                for (int i = 0; i < BURST; i++) {
                    pipeline.start(new NamespaceOperation.Mkdirs(
                            ROOT.child("burst-" + burst).child("d" + i), 0755, true));
                }
                pipeline.finish();
            }
        }
    }

    /** Returns how many instances have served a request over TCP. */
    private long byTcp() {
        return counted("lambdafs_requests_total", "transport", "tcp").values().stream()
                .filter(count -> count > 0)
                .count();
    }

    /** Returns a counter of each instance, by id. */
    private Map<String, Double> counted(String counter, String label, String value) {
        Map<String, Double> counts = new LinkedHashMap<>();
        InstanceState.metrics(gateway, gateway.instances())
                .forEach((id, page) -> counts.put(id, page.sum(counter, label, value)));
        return counts;
    }

    /** Makes the given number of writes of each kind in a new directory that all instances know before. */
    Map<WriteKind, Turn> turn(int atOnce, int writes) throws InterruptedException {
        FsPath parent = ROOT.child("turn-" + turns++);
        BlockingLambdaFs.await(client.execute(new NamespaceOperation.Mkdirs(parent, 0755, true)));
        awaitHeld(parent);
        Map<WriteKind, Turn> results = new EnumMap<>(WriteKind.class);
        for (WriteKind kind : WriteKind.values()) {
            JsonNode known = gateway.instances();
            Rounds before = Rounds.of(InstanceState.metrics(gateway, known));
            Histogram micros = new Writers(client, kind, parent, writes).run(atOnce);
            Rounds rounds = Rounds.of(InstanceState.metrics(gateway, known)).since(before);
            demand(rounds, kind, writes);
            results.put(kind, Turn.of(micros, rounds));
        }
        return results;
    }

    /**
     * Lists the directory until each instance has answered from its cache, or from the store on the side without
     * caches.
     */
    private void awaitHeld(FsPath parent) throws InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        Map<String, Double> before = listings();
        demandAll(before.size());
        boolean held = false;
        while (!held) {
            Pipeline reads = new Pipeline(client::execute);
            for (int i = 0; i < READS; i++) {
                reads.start(new ReadOperation.ListPage(parent, "", 1_000));
            }
            reads.finish();
            Map<String, Double> after = listings();
            held = before.entrySet().stream()
                    .allMatch(each -> after.getOrDefault(each.getKey(), 0.0) > each.getValue());
            if (!held && System.nanoTime() - deadline > 0) {
                throw new FsException(
                        ErrorCode.TIMED_OUT,
                        "not all instances have listed " + parent + " for themselves: " + before + ", " + after);
            }
        }
        if (!side.caches() && client.metrics().snapshot().cacheHits() > 0) {
            throw new FsException(ErrorCode.INTERNAL, "an instance has answered from a cache, which none is to have");
        }
    }

    /** Returns how many listings each instance has answered: from its cache, or without one from the store. */
    private Map<String, Double> listings() {
        String counter = side.caches() ? "lambdafs_cache_hits_total" : "lambdafs_cache_misses_total";
        return counted(counter, "role", "listing");
    }

    private void demandAll(int answered) {
        if (answered != instances) {
            throw new FsException(
                    ErrorCode.UNAVAILABLE,
                    answered + " instances answer instead of " + instances + ": " + gateway.instances());
        }
    }

    /** Demands that every write awaited all other instances or, without caches, none. */
    private void demand(Rounds rounds, WriteKind kind, int writes) {
        boolean right = side.caches()
                ? rounds.count() >= writes && rounds.targets() == rounds.count() * (instances - 1)
                : rounds.targets() == 0;
        if (!right) {
            throw new FsException(
                    ErrorCode.INTERNAL,
                    writes + " times " + kind.label() + " took " + rounds.count() + " rounds of " + rounds.targets()
                            + " invalidations altogether, with " + side.label() + " and " + instances + " instances");
        }
    }

    /**
     * The counts of all instances for their INV rounds of single INodes.
     *
     * @param targets awaited acknowledgements
     * @param micros time from the first message of a round to the last acknowledgement, summed over all rounds
     */
    private record Rounds(long count, long targets, double micros) {
        static Rounds of(Map<String, MetricsPage> pages) {
            String name = "lambdafs_invalidation_round_seconds";
            return new Rounds(
                    (long) sum(pages, page -> page.sum(name + "_count", "kind", "inode")),
                    (long) sum(pages, page -> page.sum("lambdafs_invalidations_sent_total")),
                    MICROS * sum(pages, page -> page.sum(name + "_sum", "kind", "inode")));
        }

        private static double sum(Map<String, MetricsPage> pages, ToDoubleFunction<MetricsPage> value) {
            return pages.values().stream().mapToDouble(value).sum();
        }

        Rounds since(Rounds before) {
            return new Rounds(count - before.count, targets - before.targets, micros - before.micros);
        }
    }

    /**
     * The result of one kind of write in one turn.
     *
     * @param roundMicros mean wait of a write for acknowledgements; 0 without any
     */
    record Turn(double p50Micros, double p99Micros, double roundMicros) {
        static Turn of(Histogram micros, Rounds rounds) {
            return new Turn(
                    micros.getValueAtPercentile(50),
                    micros.getValueAtPercentile(99),
                    rounds.micros() / Math.max(1, rounds.count()));
        }
    }

    @Override
    public void close() {
        client.close();
        cluster.close();
    }
}
