package io.lambdafs.hammer.grid;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.fleet.PriceTable;
import io.lambdafs.hammer.load.GatewayProbe;
import io.lambdafs.hammer.loop.Calls;
import io.lambdafs.hammer.loop.ClosedLoop;
import io.lambdafs.hammer.loop.LoopResult;
import io.lambdafs.hammer.loop.Span;
import io.lambdafs.hammer.measure.CachedFiles;
import io.lambdafs.hammer.result.Sample;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.PrimitiveIterator;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Runs all cells of a grid: each setup on a new cluster on this machine, one after the other. Confined to one thread.
 *
 * @param common settings of all clusters
 * @param operations maximum number for each client and cell
 * @param seconds maximum length of a cell; an uncounted warm-up of up to a quarter of it precedes
 * @param soFar receives all rows after each
 */
record GridRuns(
        Console console,
        LocalCluster.StartOptions common,
        List<GridOp> ops,
        List<Integer> clients,
        int operations,
        double seconds,
        List<String> failures,
        Consumer<List<GridRow>> soFar) {
    private static final FsPath ROOT = FsPath.of("/grid");
    private static final int FILES = 1_024;
    private static final double WARM_UP = 0.25;

    List<GridRow> run(List<Setup> setups) throws InterruptedException {
        List<GridRow> rows = new ArrayList<>();
        for (Setup setup : setups) {
            console.say(setup.label() + ": " + setup.what());
            try (TemporaryCluster temporary = TemporaryCluster.start(common.with(setup.settings()), console);
                    LambdaFs client = setup.client().apply(temporary.cluster())) {
                run(setup, temporary.cluster(), client, rows);
            }
        }
        return rows;
    }

    /** Sends numbered operations until all are sent or the time is over, and waits for the last answers. */
    static LoopResult loop(
            Target target, int clients, LongStream numbers, double seconds, LongFunction<Operation<?>> operations)
            throws InterruptedException {
        PrimitiveIterator.OfLong rest = numbers.iterator();
        Calls<Operation<?>> calls = lane -> {
            synchronized (rest) {
                return rest.hasNext() ? operations.apply(rest.nextLong()) : null;
            }
        };
        Duration length = Duration.ofNanos((long) (seconds * 1e9));
        return ClosedLoop.of(target, calls).run(clients, Span.drained(System.nanoTime(), length));
    }

    private void run(Setup setup, LocalCluster cluster, LambdaFs client, List<GridRow> rows)
            throws InterruptedException {
        CachedFiles files = new CachedFiles(ROOT.child("files"), FILES);
        files.make(client);
        int deployments = cluster.settings(LocalCluster.StartOptions.none()).deployments();
        GatewayProbe probe = new GatewayProbe(cluster.gateway().client(), client, deployments);
        for (GridOp op : ops) {
            for (int count : clients) {
                FsPath fresh = ROOT.child(op.label() + "-" + count);
                for (int i = 0; i < GridOp.SPREAD && op.isWrite(); i++) {
                    FsPath directory = fresh.child(String.valueOf(i));
                    BlockingLambdaFs.await(client.execute(new NamespaceOperation.Mkdirs(directory, 0755, true)));
                }
                long most = (long) count * operations;
                LongFunction<Operation<?>> numbered = number -> op.number(number, files, fresh);
                LoopResult unused =
                        loop(client::execute, count, LongStream.range(0, most), WARM_UP * seconds, numbered);
                Sample before = probe.sample();
                // Use new names: the warm-up has used those from 0.
                LoopResult result = loop(client::execute, count, LongStream.range(most, 2 * most), seconds, numbered);
                double took = result.seconds();
                Sample after = probe.sample();
                double usd = setup.fixed()
                        ? PriceTable.read().machinesUsd(setup.vcpu(), took)
                        : after.costUsd() - before.costUsd();
                rows.add(
                        new GridRow(setup, op, count, result.latency(), result.failed(), took, after.instances(), usd));
                result.failures().forEach(each -> failures.add(setup.label() + ", " + op.label() + ": " + each));
                soFar.accept(rows);
                console.progress(String.format(
                        Locale.ROOT,
                        "%s, %s, %d clients: %,.0f ops/s",
                        setup.label(),
                        op.label(),
                        count,
                        rows.get(rows.size() - 1).opsPerSecond()));
            }
        }
    }
}
