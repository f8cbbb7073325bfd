package io.lambdafs.systemtests.chaos;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.replay.Replay;
import io.lambdafs.hammer.replay.ReplaySettings;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.ImportResult;
import io.lambdafs.hammer.tree.ImportSettings;
import io.lambdafs.hammer.tree.NamespaceImport;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * hammer-bench's Spotify mix beside the worlds: round after round a tree of its own is imported and a load in bursts replayed on it. Every
 * answer must be the one that hammer-bench's model of the namespace expects; what a full store refuses is asked again until it is done. One
 * thread starts and stops it.
 */
final class SpotifyLoad {
    private static final Path TREE = Path.of("..", "functions", "src");
    private static final Duration ROUND = Duration.ofSeconds(15);
    private static final Duration DRAIN = Duration.ofSeconds(90);
    private static final double BASE_OPS = 40;
    private static final int LIMIT_MINUTES = 5;

    private final Target target;
    private final long seed;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final List<ReplayResult> results = new ArrayList<>();
    private volatile boolean stopped;

    SpotifyLoad(LambdaFs client, long seed) {
        this.target = new Patient(client);
        this.seed = seed;
    }

    void start() {
        Thread thread = new Thread(this::run, "spotify");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            for (int round = 0; !stopped; round++) {
                ImportResult tree = NamespaceImport.run(
                        ImportSettings.of(TREE, FsPath.of("/spotify-" + round)), target, progress -> {});
                ReplaySettings load = ReplaySettings.of(tree.tree(), Workload.spotify(ROUND, BASE_OPS, seed + round))
                        .withDrain(DRAIN);
                results.add(Replay.run(load, target, ClusterProbe.none(), progress -> {}));
            }
            ended.complete(null);
        } catch (RuntimeException e) {
            ended.completeExceptionally(e);
        }
    }

    /** Ends with the round that goes on; every round's result. */
    List<ReplayResult> stop() throws ExecutionException, InterruptedException, TimeoutException {
        stopped = true;
        ended.get(LIMIT_MINUTES, TimeUnit.MINUTES);
        return List.copyOf(results);
    }

    /** Asks again what a full store refused. */
    private static final class Patient implements Target {
        private static final Executor LATER = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

        private final LambdaFs client;

        Patient(LambdaFs client) {
            this.client = client;
        }

        @Override
        public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
            return client.execute(operation)
                    .handle((reply, error) -> outcome(operation, reply, error))
                    .thenCompose(next -> next);
        }

        private <R extends Reply> CompletionStage<R> outcome(Operation<R> operation, R reply, Throwable error) {
            if (error == null) {
                return CompletableFuture.completedFuture(reply);
            }
            if (FsException.of(error).code() == ErrorCode.STORE_FULL) {
                return CompletableFuture.supplyAsync(() -> operation, LATER).thenCompose(this::execute);
            }
            return CompletableFuture.failedFuture(FsException.unwrap(error));
        }
    }
}
