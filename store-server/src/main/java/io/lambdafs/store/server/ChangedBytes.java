package io.lambdafs.store.server;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.store.Mutation;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Limits the total bytes of changes that a store has received and not yet answered, in addition to their number.
 * Thread-safe.
 */
final class ChangedBytes {
    private final long limit;
    private final AtomicLong bytes = new AtomicLong();

    /** @param limit in bytes; a single request is accepted whatever its size */
    ChangedBytes(long limit) {
        this.limit = limit;
    }

    /** Creates a limit proportional to this JVM's memory. */
    static ChangedBytes ofMemory() {
        return new ChangedBytes(Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8));
    }

    /**
     * Counts changes until they are answered; fails {@code UNAVAILABLE} if there are too many already.
     *
     * @return the consumer for the answer
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
            throw FsException.unavailable(
                    "changes of " + (all - taken) + " bytes are under way in the store already; try again later");
        }
        return answer -> {
            bytes.addAndGet(-taken);
            reply.accept(answer);
        };
    }
}
