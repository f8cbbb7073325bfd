package io.lambdafs.client;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import org.jspecify.annotations.Nullable;

/**
 * Renews the writer lease of an open file until stopped or taken by another writer. After any other failure, the next
 * due renewal retries. Thread-safe.
 */
final class LeaseRenewal {
    private final LambdaFs fs;
    private final FsPath path;
    private final OpenFile file;
    private final long everyNanos;
    private Scheduler.@Nullable Timer timer;
    private boolean stopped;
    private @Nullable FsException lost;

    LeaseRenewal(LambdaFs fs, FsPath path, OpenFile file, long everyNanos) {
        this.fs = fs;
        this.path = path;
        this.file = file;
        this.everyNanos = everyNanos;
    }

    synchronized void start(long generation) {
        if (!stopped) {
            Scheduler.Essential next = () -> renew(generation);
            timer = fs.scheduler().schedule(everyNanos, next);
        }
    }

    synchronized void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Fails if the lease has ended, with the reason: the writer can add nothing more. */
    synchronized void check() {
        if (lost != null) {
            throw new FsException(lost.code(), String.valueOf(lost.getMessage()), lost);
        }
    }

    private void renew(long generation) {
        Stages.call(() -> fs.execute(new BlockOperation.RenewLease(path, file, generation)))
                .whenComplete((renewed, thrown) -> {
                    if (thrown != null && isOver(FsException.of(thrown))) {
                        end(FsException.of(thrown));
                    } else {
                        start(generation);
                    }
                });
    }

    private static boolean isOver(FsException why) {
        return why.code() == ErrorCode.STALE_GENERATION || why.code() == ErrorCode.NOT_FOUND;
    }

    private synchronized void end(FsException why) {
        lost = why;
    }
}
