package io.lambdafs.systemtests.chaos;

import io.lambdafs.model.FsPath;
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

    /** Makes it, as often as it is refused, and lets every client at it; completes when the last one has ended. */
    CompletionStage<Void> run(Client[] clients, SplittableRandom random) {
        return call(clients[0], 0, Request.makeWorld()).thenCompose(made -> {
            if (made == History.End.REFUSED) {
                return run(clients, random);
            }
            CompletableFuture<?>[] all = new CompletableFuture<?>[clients.length];
            for (int i = 0; i < clients.length; i++) {
                all[i] = new CompletableFuture<>();
                next(clients[i], i, random.split(), all[i]);
            }
            return CompletableFuture.allOf(all);
        });
    }

    private void next(Client fs, int client, SplittableRandom random, CompletableFuture<?> ended) {
        // A new world would be refused.
        if (retired.get() || (left.getAndDecrement() <= 0 && !history.isStoreFull())) {
            ended.complete(null);
            return;
        }
        call(fs, client, Request.random(random)).thenRun(() -> next(fs, client, random, ended));
    }

    private CompletionStage<History.End> call(Client fs, int client, Request request) {
        return fs.ask(request, directory).thenApply(answer -> {
            History.End end = history.completed(new History.Asked(number, client, request), answer);
            if (end.retires()) {
                retire();
            } else if (end == History.End.REFUSED) {
                left.incrementAndGet();
            }
            return end;
        });
    }

    /** Makes no more calls; those under way end. */
    void retire() {
        retired.set(true);
    }

    /** Reads all of it once more. */
    CompletionStage<Void> lookThrough(Client fs) {
        CompletionStage<Void> done = CompletableFuture.completedFuture(null);
        for (Request each : Request.lookThrough()) {
            done = done.thenCompose(before -> call(fs, LAST_CLIENT, each)).thenApply(end -> null);
        }
        return done;
    }
}
