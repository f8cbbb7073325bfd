package io.lambdafs.rpc.framing;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Vyukov's intrusive multi-producer, single-consumer queue: adding is one atomic exchange and allocates nothing.
 * Bounded by its users: a connection admits a limited number of requests, and replies answer a limited number of
 * requests. Any thread may {@link #add}; only the loop may call the rest.
 */
final class OutgoingQueue {
    /** The placeholder in an empty queue. */
    static final class Stub extends Outgoing {}

    private final Stub stub = new Stub();
    private final AtomicReference<Outgoing> last = new AtomicReference<>(stub);
    private Outgoing first = stub;

    void add(Outgoing item) {
        item.next = null;
        Outgoing before = last.getAndSet(item);
        before.next = item;
    }

    /** Removes and returns the first item; null if there is none or its producer has not finished adding it. */
    @Nullable
    Outgoing poll() {
        Outgoing item = first;
        Outgoing following = item.next;
        if (item == stub) {
            if (following == null) {
                return null;
            }
            first = following;
            item = following;
            following = item.next;
        }
        if (following == null) {
            if (item != last.get()) {
                return null;
            }
            add(stub);
            following = item.next;
            if (following == null) {
                return null;
            }
        }
        first = following;
        // An answered request must not keep later ones in memory.
        item.next = null;
        return item;
    }

    boolean isEmpty() {
        return first == stub && last.get() == stub;
    }
}
