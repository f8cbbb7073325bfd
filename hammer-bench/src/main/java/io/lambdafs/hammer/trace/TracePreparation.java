package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Creates the files and directories that a trace presumes, with a bounded number of requests in flight. */
public final class TracePreparation {
    /** Maximum wait for an answer, seconds. */
    private static final long REPLY_SECONDS = 120;

    private static final int WINDOW = 64;
    private static final int SHOWN_EVERY = 1_000;

    private final Target target;
    private final TraceOperations operations;
    private final Semaphore window = new Semaphore(WINDOW);
    private final AtomicReference<@Nullable FsException> failure = new AtomicReference<>();

    private TracePreparation(Target target, FsPath under) {
        this.target = target;
        this.operations = new TraceOperations(under, 0);
    }

    /**
     * Creates them, empty, below a directory. Existing ones stay unchanged.
     *
     * @param scan of the trace, with its paths noted
     * @param progress receives the number created so far, now and then
     * @return the number created
     */
    public static long run(TraceScan scan, Target target, FsPath under, LongConsumer progress) {
        return new TracePreparation(target, under).run(scan, progress);
    }

    private long run(TraceScan scan, LongConsumer progress) {
        long made = 0;
        send(operations.directory(operations.at(FsPath.ROOT)));
        acquire(WINDOW);
        window.release(WINDOW);
        try (Presumed presumed = new Presumed(scan)) {
            for (Presumed.Entry entry = presumed.next(); entry != null; entry = presumed.next()) {
                FsPath path = operations.at(entry.path());
                send(entry.isDirectory() ? operations.directory(path) : operations.presumed(path));
                if (++made % SHOWN_EVERY == 0) {
                    progress.accept(made);
                }
            }
        } catch (IOException e) {
            throw FsException.unavailable("the trace cannot be read: " + e, e);
        }
        acquire(WINDOW);
        throwIfFailed();
        return made;
    }

    private void send(Operation<?> operation) {
        acquire(1);
        throwIfFailed();
        start(operation).whenComplete((reply, thrown) -> {
            if (thrown != null && FsException.of(thrown).code() != ErrorCode.ALREADY_EXISTS) {
                FsException cause = FsException.of(thrown);
                failure.compareAndSet(
                        null,
                        new FsException(
                                cause.code(),
                                "cannot prepare " + operation.path() + " for the trace: " + cause.getMessage(),
                                cause));
            }
            window.release();
        });
    }

    private CompletionStage<? extends Reply> start(Operation<?> operation) {
        try {
            return target.execute(operation);
        } catch (RuntimeException thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    private void acquire(int permits) {
        try {
            if (!window.tryAcquire(permits, REPLY_SECONDS, TimeUnit.SECONDS)) {
                throw new FsException(
                        ErrorCode.TIMED_OUT,
                        "the preparation made no progress for " + REPLY_SECONDS + " s; see whether the cluster is up");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "the preparation was interrupted", e);
        }
    }

    private void throwIfFailed() {
        FsException thrown = failure.get();
        if (thrown != null) {
            throw thrown;
        }
    }
}
