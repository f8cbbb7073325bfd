package io.lambdafs.hammer.tree;

import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server with one thread, which once sleeps. */
public final class StandingStill implements Target {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger slow = new AtomicInteger();
    private final MemoryFileSystem files;
    private final int at;
    private final long millis;

    public StandingStill(MemoryFileSystem files, int at, long millis) {
        this.files = files;
        this.at = at;
        this.millis = millis;
    }

    /** Operations that took longer than half the stall from when they were sent. */
    public AtomicInteger slow() {
        return slow;
    }

    @Override
    public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
        long sent = System.nanoTime();
        return CompletableFuture.supplyAsync(
                () -> {
                    if (asked.incrementAndGet() == at) {
                        stall();
                    }
                    R reply = files.apply(operation);
                    if (System.nanoTime() - sent > millis * 500_000) {
                        slow.incrementAndGet();
                    }
                    return reply;
                },
                thread);
    }

    private void stall() {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
