package io.lambdafs.hammer.tree;

import io.lambdafs.hammer.replay.QuickTime;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A file system that serves one operation after another, each for the same time, in a {@link QuickTime}. It stands still once. */
public final class OneServer implements Target {
    private final MemoryFileSystem files;
    private final QuickTime time;
    private final long serviceNanos;
    private final int stallAt;
    private final long stallNanos;
    private long freeAt;
    private int asked;

    /** @param stallAt the operation before which it stands still, from 1 */
    public OneServer(MemoryFileSystem files, QuickTime time, long serviceNanos, int stallAt, long stallNanos) {
        this.files = files;
        this.time = time;
        this.serviceNanos = serviceNanos;
        this.stallAt = stallAt;
        this.stallNanos = stallNanos;
    }

    @Override
    public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
        asked++;
        long asking = time.nanos();
        freeAt = Math.max(freeAt, asking) + serviceNanos + (asked == stallAt ? stallNanos : 0);
        CompletableFuture<R> answer = new CompletableFuture<>();
        time.after(freeAt - asking, () -> {
            try {
                answer.complete(files.apply(operation));
            } catch (FsException refused) {
                answer.completeExceptionally(refused);
            }
        });
        return answer;
    }

    public int asked() {
        return asked;
    }
}
