package io.lambdafs.store.engine;

import io.lambdafs.model.FsException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A thread pool for engines whose reads block. Thread-safe. */
public final class ReadPool implements AutoCloseable {
    /** Maximum number of queued reads; further ones fail {@code UNAVAILABLE}. */
    public static final int MAX_QUEUED_READS = 20_000;

    private final ThreadPoolExecutor threads;
    private final String source;

    /** @param source name of the read object, for messages */
    public ReadPool(int size, String source) {
        this.source = source;
        AtomicInteger count = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                size, size, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_QUEUED_READS), task -> {
                    Thread thread = new Thread(task, "store-read-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** Runs a read on one of the threads. */
    public <T> CompletionStage<T> submit(Supplier<T> read) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    result.complete(read.get());
                } catch (Throwable e) {
                    // Errors included, after which the pool starts a new thread: the caller must not wait forever.
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            String why = threads.isShutdown()
                    ? "the store is closed"
                    : MAX_QUEUED_READS + " reads wait for " + source + " already; try again later";
            result.completeExceptionally(FsException.unavailable(why, e));
        }
        return result;
    }

    /** Ends the threads after the accepted reads and waits for them, ignoring interrupts. */
    @Override
    public void close() {
        threads.shutdown();
        boolean interrupted = false;
        while (!threads.isTerminated()) {
            try {
                threads.awaitTermination(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
