package io.lambdafs.client.call;

import io.lambdafs.model.operation.RequestId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Allocates request ids for bulk messages: each message in flight has its own session, whose slots the next message
 * reuses with the next sequence. A session whose message ended undecided is not reused. Thread-safe.
 */
public final class BulkIds {
    /** Maximum number of idle sessions kept. */
    private static final int MOST_FREE = 8;

    private final RandomGenerator ids;
    private final Deque<RequestId> free = new ArrayDeque<>();

    /** @param ids an unguessable source of session ids */
    BulkIds(RandomGenerator ids) {
        this.ids = ids;
    }

    /** Returns the id in slot 1 of an idle session; the session's further slots belong to the caller too. */
    public synchronized RequestId acquire() {
        @Nullable RequestId last = free.poll();
        return last == null
                ? new RequestId(ids.nextLong(), ids.nextLong(), 1, 1)
                : new RequestId(last.clientHigh(), last.clientLow(), 1, last.sequence() + 1);
    }

    /** Returns a session whose requests were all decided. */
    public synchronized void release(RequestId used) {
        if (free.size() < MOST_FREE) {
            free.push(used);
        }
    }
}
