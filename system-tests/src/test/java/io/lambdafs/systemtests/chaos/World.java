package io.lambdafs.systemtests.chaos;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Reply;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A directory that a few logical clients use at once, each with one call after the other, until a number of calls is made or the outcome
 * of a write is not known; then it is retired. Small enough for its history to be decided in milliseconds. Thread-safe.
 */
final class World {
    /** The client that looks through a world after all. */
    private static final int LAST_CLIENT = 1_000;

    private final int number;
    private final FsPath directory;
    private final History history;
    private final AtomicInteger left;
    private final AtomicBoolean retired = new AtomicBoolean();

    World(int number, int calls, History history) {
        this.number = number;
        this.directory = FsPath.of("/w" + number);
        this.history = history;
        this.left = new AtomicInteger(calls);
    }

    /** Makes it and lets every client at it; completes when the last one has ended. */
    CompletionStage<Void> run(LambdaFs[] clients, SplittableRandom random) {
        return call(clients[0], 0, Request.makeWorld()).thenCompose(made -> {
            CompletableFuture<?>[] all = new CompletableFuture<?>[clients.length];
            for (int i = 0; i < clients.length; i++) {
                all[i] = new CompletableFuture<>();
                next(clients[i], i, random.split(), all[i]);
            }
            return CompletableFuture.allOf(all);
        });
    }

    private void next(LambdaFs fs, int client, SplittableRandom random, CompletableFuture<?> ended) {
        if (retired.get() || left.getAndDecrement() <= 0) {
            ended.complete(null);
            return;
        }
        call(fs, client, Request.random(random)).thenRun(() -> next(fs, client, random, ended));
    }

    private CompletionStage<Void> call(LambdaFs fs, int client, Request request) {
        History.Asked asked = new History.Asked(number, client, request, System.nanoTime());
        return execute(fs, request.inWorld(directory)).handle((reply, error) -> {
            if (history.completed(asked, reply, error) != History.End.DONE && request.isWrite()) {
                retired.set(true);
            }
            return null;
        });
    }

    @SuppressWarnings("unchecked")
    private static CompletionStage<Reply> execute(LambdaFs fs, Operation<?> operation) {
        return (CompletionStage<Reply>) fs.execute(operation);
    }

    /** Reads all of it once more. */
    CompletionStage<Void> lookThrough(LambdaFs fs) {
        CompletionStage<Void> done = CompletableFuture.completedFuture(null);
        for (Request each : Request.lookThrough()) {
            done = done.thenCompose(before -> call(fs, LAST_CLIENT, each));
        }
        return done;
    }
}
