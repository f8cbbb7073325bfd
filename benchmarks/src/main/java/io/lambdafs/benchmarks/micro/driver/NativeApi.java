package io.lambdafs.benchmarks.micro.driver;

import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.Lister;
import io.lambdafs.hammer.loop.Calls;
import io.lambdafs.hammer.loop.ClosedLoop;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * λFS's own asynchronous client: a lane is a place of the window, whose next call starts when the last one completes.
 */
final class NativeApi implements Api<FsPath> {
    private static final int PAGE = 1_000;
    private static final byte[] EMPTY = new byte[0];

    private final LambdaFs client;

    NativeApi(LambdaFs client) {
        this.client = client;
    }

    @Override
    public FsPath path(String text) {
        return FsPath.of(text);
    }

    @Override
    public ClosedLoop<Step<FsPath>> loop(Calls<Step<FsPath>> workload) {
        return new ClosedLoop<>(workload, this::start);
    }

    private CompletionStage<Boolean> start(Step<FsPath> step) {
        FsPath path = step.path();
        return switch (step.kind()) {
            case MKDIRS -> client.mkdirs(path, 0755);
            case CREATE -> client.create(path, EMPTY, CreateOptions.DEFAULT).thenApply(created -> true);
            case STAT -> client.stat(path).thenApply(status -> true);
            case OPEN -> client.open(path).thenApply(opened -> true);
            case LIST -> all(client.lister(path, PAGE), 0).thenApply(seen -> seen >= step.entries());
            case RENAME -> client.rename(path, step.destination(), Operation.RenameMode.INTO);
            case DELETE -> client.delete(path, false);
        };
    }

    private static CompletionStage<Integer> all(Lister lister, int before) {
        return lister.next().thenCompose(page -> {
            int seen = before + page.size();
            return lister.isAtEnd() ? CompletableFuture.completedFuture(seen) : all(lister, seen);
        });
    }

    @Override
    public void close() {
        client.close();
    }
}
