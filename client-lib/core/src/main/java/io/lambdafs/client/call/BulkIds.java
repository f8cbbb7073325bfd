package io.lambdafs.client.call;

import io.lambdafs.model.RequestId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Request ids for what one message asks for many times over: a session of its own for each such message under way, whose slots the next message uses again, with the next
 * sequence. A session whose message ended undecided is not used again. Thread-safe.
 */
public final class BulkIds {
    /** Sessions that are kept for later. */
    private static final int MOST_FREE = 8;

    private final RandomGenerator ids;
    private final Deque<RequestId> free = new ArrayDeque<>();

    /** @param ids an unguessable source of session ids */
    BulkIds(RandomGenerator ids) {
        this.ids = ids;
    }

    /** Returns the id in slot 1 of a session that is in no use; the slots behind it are the caller's too. */
    public synchronized RequestId acquire() {
        @Nullable RequestId last = free.poll();
        return last == null
                ? new RequestId(ids.nextLong(), ids.nextLong(), 1, 1)
                : new RequestId(last.clientHigh(), last.clientLow(), 1, last.sequence() + 1);
    }

    /** Gives a session back all of whose requests were decided. */
    public synchronized void release(RequestId used) {
        if (free.size() < MOST_FREE) {
            free.push(used);
        }
    }
}
