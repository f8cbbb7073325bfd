package io.lambdafs.store.server;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Message;
import io.lambdafs.store.Mutation;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The bytes of all changes that a store has been asked for and has not answered: a limit beside that of their number. Thread-safe. */
final class ChangedBytes {
    private final long limit;
    private final AtomicLong bytes = new AtomicLong();

    /** @param limit one request is taken whatever its size */
    ChangedBytes(long limit) {
        this.limit = limit;
    }

    /** A part of this JVM's memory. */
    static ChangedBytes ofMemory() {
        return new ChangedBytes(Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8));
    }

    /**
     * Counts changes until they are answered; fails {@code UNAVAILABLE} where there are too many already.
     *
     * @return the way for the answer
     */
    Consumer<Message> until(Consumer<Message> reply, List<Mutation> changes) {
        long size = 0;
        for (Mutation change : changes) {
            size += change instanceof Mutation.Put put
                    ? put.row().estimatedBytes()
                    : change instanceof Mutation.Append append ? append.row().estimatedBytes() : 0;
        }
        long taken = size;
        long all = bytes.addAndGet(taken);
        if (all > limit && all > taken) {
            bytes.addAndGet(-taken);
            throw new FsException(
                    ErrorCode.UNAVAILABLE,
                    "changes of " + (all - taken) + " bytes are under way in the store already; try again later");
        }
        return answer -> {
            bytes.addAndGet(-taken);
            reply.accept(answer);
        };
    }
}
