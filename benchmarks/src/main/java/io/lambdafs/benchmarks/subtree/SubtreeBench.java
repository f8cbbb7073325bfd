package io.lambdafs.benchmarks.subtree;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.gateway.InstanceState;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.loop.Preparation;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Moves a large and a small directory back and forth, compares the times, then removes both. Confined to one thread.
 */
final class SubtreeBench {
    private static final int CACHED_PER_DEPLOYMENT = 4_000;
    private static final int DEMANDED_CACHED = 1_000;
    private static final int WARMING_PASSES = 8;
    private static final int REST_MILLIS = 500;
    private static final int MODE = 0755;
    private static final long BLOCK_SIZE = 128L << 20;
    private static final int PROGRESS_EVERY = 1_000;
    private static final int LOOK_MILLIS = 100;
    private static final long NO_PROGRESS_NANOS = 60_000_000_000L;

    private final Settings settings;
    private final LambdaFs client;
    private final GatewayClient gateway;
    private final Console console;
    private final int deployments;
    private final Placement placement;

    /**
     * The parameters of the bench.
     *
     * @param files files in the large directory, 1–10,000,000
     * @param small files in the small directory
     * @param alternations moves of each, 1–10,000
     * @param readers readers that run all the time, 0–1,000
     */
    record Settings(int files, int small, int alternations, int readers) {
        Settings {
            Options.check(files >= 1 && files <= 10_000_000, "--files is 1..10000000, not " + files);
            Options.check(small >= 1 && small <= files, "--small is 1..files, not " + small);
            Options.check(
                    alternations >= 1 && alternations <= 10_000, "--alternations is 1..10000, not " + alternations);
            Options.check(readers >= 0 && readers <= 1_000, "--readers is 0..1000, not " + readers);
        }
    }

    /**
     * The results.
     *
     * @param instances that cached at least {@value #DEMANDED_CACHED} descendants of the large directory before each of its moves: the
     *     least number over all moves
     * @param leastCached the fewest descendants cached at any of these instances
     * @param torn the first torn state that a reader saw
     * @param largeRemoval removal of the large directory, with the readers at rest
     * @param smallRemoval removal of the small directory
     */
    record Result(
            long largeMedianMicros,
            long smallMedianMicros,
            int instances,
            long leastCached,
            long reads,
            List<String> torn,
            Removal largeRemoval,
            Removal smallRemoval) {
        double ratio() {
            return (double) largeMedianMicros / Math.max(1, smallMedianMicros);
        }
    }

    /**
     * One recursive delete.
     *
     * @param micros time until its acknowledgement, from which on the directory is invisible
     * @param rows rows removed from the store afterwards
     * @param reclaimSeconds time from the acknowledgement until all were removed
     */
    record Removal(long micros, long rows, double reclaimSeconds) {
        double rowsPerSecond() {
            return rows / reclaimSeconds;
        }
    }

    SubtreeBench(Settings settings, LambdaFs client, GatewayClient gateway, Console console) {
        this.settings = settings;
        this.client = client;
        this.gateway = gateway;
        this.console = console;
        this.deployments = client.config().deployments();
        this.placement = new Placement(deployments);
    }

    Result run() throws InterruptedException {
        FsPath parent = FsPath.of("/bench-subtree-" + System.currentTimeMillis());
        BenchTree large = new BenchTree(parent, "large", settings.files());
        BenchTree small = new BenchTree(parent, "small", settings.small());
        try {
            make(large);
            make(small);
            return measure(parent, large, small);
        } finally {
            BlockingLambdaFs.await(client.execute(new NamespaceOperation.Delete(parent, true)));
        }
    }

    private void make(BenchTree tree) throws InterruptedException {
        Preparation.send(
                client::execute,
                IntStream.range(0, tree.directories())
                        .mapToObj(i -> new NamespaceOperation.Mkdirs(BenchTree.directory(tree.here(), i), MODE, true)));
        Preparation.send(client::execute, IntStream.range(0, tree.files()).mapToObj(i -> {
            if (i % PROGRESS_EVERY == 0) {
                console.progress(String.format(Locale.ROOT, "making %,d of %,d files", i, tree.files()));
            }
            FsPath file = BenchTree.file(tree.here(), i / BenchTree.FANOUT, i % BenchTree.FANOUT);
            return new FileOperation.Create(file, 0644, false, false, 1, BLOCK_SIZE, new byte[0], null);
        }));
    }

    private Result measure(FsPath parent, BenchTree large, BenchTree small) throws InterruptedException {
        Readers readers = new Readers(client, parent, List.of(large, small));
        List<Long> largeNanos = new ArrayList<>();
        List<Long> smallNanos = new ArrayList<>();
        int instances = Integer.MAX_VALUE;
        long leastCached = Long.MAX_VALUE;
        readers.start(settings.readers());
        for (int i = 0; i < settings.alternations(); i++) {
            List<Long> cached = warmUntilCached(large, readers);
            largeNanos.add(move(large));
            instances = Math.min(instances, cached.size());
            leastCached = Math.min(
                    leastCached,
                    cached.stream().mapToLong(Long::longValue).min().orElse(0));
            warm(small);
            smallNanos.add(move(small));
            console.progress(String.format(Locale.ROOT, "moved both %d of %d times", i + 1, settings.alternations()));
        }
        readers.stop();
        // Each removal finds nearly all of the tree's nodes cached, unless memory pressure has evicted them.
        Removal largeRemoval = remove(large);
        Removal smallRemoval = remove(small);
        return new Result(
                median(largeNanos),
                median(smallNanos),
                instances,
                leastCached,
                readers.reads(),
                readers.torn(),
                largeRemoval,
                smallRemoval);
    }

    private Removal remove(BenchTree tree) throws InterruptedException {
        warm(tree);
        Map<String, Long> before = InstanceState.reclaimedRows(gateway);
        // One row per file; two per directory, its own and its statistics.
        long rows = tree.files() + 2L * (tree.directories() + 1);
        TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
        long begun = System.nanoTime();
        BlockingLambdaFs.await(client.execute(new NamespaceOperation.Delete(tree.here(), true)));
        long acknowledged = System.nanoTime();
        demandGone(tree);
        awaitReclaim(before, rows);
        return new Removal((acknowledged - begun) / 1_000, rows, (System.nanoTime() - acknowledged) / 1e9);
    }

    private void demandGone(BenchTree tree) throws InterruptedException {
        for (FsPath gone : List.of(tree.here(), BenchTree.file(tree.here(), 0, 0))) {
            try {
                BlockingLambdaFs.await(client.execute(new ReadOperation.Stat(gone)));
            } catch (FsException e) {
                if (e.code() == ErrorCode.NOT_FOUND) {
                    continue;
                }
                throw e;
            }
            throw new FsException(ErrorCode.INTERNAL, gone + " is still to be seen after its removal was acknowledged");
        }
    }

    private void awaitReclaim(Map<String, Long> before, long rows) throws InterruptedException {
        long done = 0;
        long progressed = System.nanoTime();
        while (done < rows) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            Map<String, Long> now = InstanceState.reclaimedRows(gateway);
            long sum = now.entrySet().stream()
                    .mapToLong(each -> each.getValue() - before.getOrDefault(each.getKey(), 0L))
                    .sum();
            if (sum > done) {
                progressed = System.nanoTime();
                done = sum;
            } else if (System.nanoTime() - progressed > NO_PROGRESS_NANOS) {
                throw FsException.unavailable(
                        "only " + done + " of " + rows + " rows were reclaimed, then none for a minute");
            }
            console.progress(String.format(Locale.ROOT, "reclaimed %,d of %,d rows", done, rows));
        }
    }

    /**
     * Stats the tree's files until enough instances cache enough of them, as the hits of a further pass show: it stats
     * each file once, so an instance's hits, less all calls of the readers meanwhile, are files that it had cached.
     */
    private List<Long> warmUntilCached(BenchTree tree, Readers readers) throws InterruptedException {
        List<Long> cached = List.of();
        for (int i = 0; i < WARMING_PASSES && cached.size() < deployments; i++) {
            warm(tree);
            long readsBefore = readers.reads();
            Map<String, Long> before = InstanceState.entryHits(gateway);
            warm(tree);
            Map<String, Long> after = InstanceState.entryHits(gateway);
            long others = readers.reads() - readsBefore;
            cached = before.entrySet().stream()
                    .map(each -> after.getOrDefault(each.getKey(), 0L) - each.getValue() - others)
                    .filter(own -> own >= DEMANDED_CACHED)
                    .toList();
        }
        return cached;
    }

    /** Makes every deployment cache enough of a tree. */
    private void warm(BenchTree tree) throws InterruptedException {
        Preparation.send(
                client::execute,
                tree.sample(placement, CACHED_PER_DEPLOYMENT, deployments).stream()
                        .map(ReadOperation.Stat::new));
    }

    /** Moves a tree once the instances have paid back the CPU time that warming took beyond their share. */
    private long move(BenchTree tree) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
        NamespaceOperation.Rename rename =
                new NamespaceOperation.Rename(tree.here(), tree.there(), Operation.RenameMode.STRICT);
        long begun = System.nanoTime();
        BlockingLambdaFs.await(client.execute(rename));
        long nanos = System.nanoTime() - begun;
        tree.hasMoved();
        return nanos;
    }

    private static long median(List<Long> nanos) {
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        long value = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return value / 1_000;
    }
}
