package io.lambdafs.benchmarks.inv;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The cluster of one combination and its workload: files moved back and forth. A move within a directory invalidates
 * nothing at another instance; one between directories of different deployments invalidates the other deployment's
 * listing, at one instance. Confined to one thread.
 */
final class Testbed implements AutoCloseable {
    /** Files moved concurrently. */
    static final int TOGETHER = 16;

    private final Combination combination;
    private final TemporaryCluster cluster;
    private final LambdaFs client;
    private final List<FsPath> homes = new ArrayList<>();
    private final int[] remotePosition = new int[TOGETHER];
    private int localPosition;

    Testbed(Combination combination, Console console) {
        this.combination = combination;
        cluster = TemporaryCluster.start(combination.startOptions(), console);
        try {
            client = LambdaFs.open(
                    ClientConfig.load(cluster.cluster().directory().client()));
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    Combination combination() {
        return combination;
    }

    /** Creates a directory in each deployment, and the files. */
    void prepare() throws InterruptedException {
        Placement placement = new Placement(InvBench.DEPLOYMENTS);
        for (int deployment = 0; deployment < InvBench.DEPLOYMENTS; deployment++) {
            int number = 0;
            while (placement.ofChildren(home(number)) != deployment) {
                number++;
            }
            homes.add(home(number));
            BlockingLambdaFs.await(client.execute(new NamespaceOperation.Mkdirs(home(number), 0755, true)));
        }
        create(homes.get(0).child("local-0"));
        for (int file = 0; file < TOGETHER; file++) {
            create(whereIs(file));
        }
    }

    private static FsPath home(int number) {
        return FsPath.of("/bench-inv-" + number);
    }

    private void create(FsPath path) throws InterruptedException {
        BlockingLambdaFs.await(
                client.execute(new FileOperation.Create(path, 0644, false, false, 1, 128L << 20, new byte[0], null)));
    }

    private FsPath whereIs(int file) {
        return homes.get(remotePosition[file]).child("remote-" + file);
    }

    /** Moves a file within its directory, one move after the other, and returns the mean time in nanoseconds. */
    double local(int moves) throws InterruptedException {
        long begun = System.nanoTime();
        for (int i = 0; i < moves; i++) {
            FsPath from = homes.get(0).child("local-" + localPosition);
            localPosition = 1 - localPosition;
            BlockingLambdaFs.await(client.execute(move(from, homes.get(0).child("local-" + localPosition))));
        }
        return (double) (System.nanoTime() - begun) / moves;
    }

    /** Moves a file between the directories, one move after the other, and returns the mean time in nanoseconds. */
    double remote(int moves) throws InterruptedException {
        long begun = System.nanoTime();
        for (int i = 0; i < moves; i++) {
            BlockingLambdaFs.await(moveOver(0));
        }
        return (double) (System.nanoTime() - begun) / moves;
    }

    /**
     * Moves several files between the directories, all at once each time, and returns the mean time per move in
     * nanoseconds.
     */
    double remoteTogether(int moves) throws InterruptedException {
        long begun = System.nanoTime();
        for (int i = 0; i < moves; i += TOGETHER) {
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int file = 0; file < TOGETHER; file++) {
                all.add(moveOver(file));
            }
            for (CompletableFuture<?> each : all) {
                BlockingLambdaFs.await(each);
            }
        }
        int made = (moves + TOGETHER - 1) / TOGETHER * TOGETHER;
        return (double) (System.nanoTime() - begun) / made;
    }

    private CompletableFuture<?> moveOver(int file) {
        FsPath from = whereIs(file);
        remotePosition[file] = 1 - remotePosition[file];
        return client.execute(move(from, whereIs(file))).toCompletableFuture();
    }

    private static NamespaceOperation.Rename move(FsPath from, FsPath to) {
        return new NamespaceOperation.Rename(from, to, Operation.RenameMode.STRICT);
    }

    @Override
    public void close() {
        client.close();
        cluster.close();
    }
}
