package io.lambdafs.functions.namenode.transaction;

import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Ticket;
import io.lambdafs.functions.inflight.InFlight;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.tracing.TraceParent;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.StoreTransaction;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a request: its caller, id, deadline and starting epoch. Confined to the sequential steps of that
 * execution.
 */
public final class Call {
    private final Principal caller;
    private final RequestId id;
    private final long deadlineMillis;
    private final long epoch;
    private final Ticket first;
    private final @Nullable TraceParent trace;
    private InFlight.@Nullable Handle handle;

    /** @param trace the request's span in this instance; null if not traced */
    public Call(
            Principal caller,
            RequestId id,
            long deadlineMillis,
            long epoch,
            Ticket first,
            @Nullable TraceParent trace) {
        this.trace = trace;
        this.caller = caller;
        this.id = id;
        this.deadlineMillis = deadlineMillis;
        this.epoch = epoch;
        this.first = first;
    }

    public Principal caller() {
        return caller;
    }

    public RequestId id() {
        return id;
    }

    /** Returns the deadline by the wall clock, in milliseconds since 1970. */
    public long deadlineMillis() {
        return deadlineMillis;
    }

    public long epoch() {
        return epoch;
    }

    /** Begins a transaction for this execution. */
    public StoreTransaction begin(MetadataStore store) {
        StoreTransaction begun = store.begin(epoch);
        return trace == null ? begun : new TracedTransaction(begun, trace);
    }

    /** Takes a ticket for subsequent reads, void once the execution's starting epoch is over. */
    public Ticket ticket(PathTrie trie) {
        return trie.ticket(first);
    }

    /** Holds the scope of this execution's change, as {@link PathTrie#hold} does. */
    public Ticket hold(PathTrie trie, Scope scope) {
        return trie.hold(scope, first);
    }

    public void counted(InFlight.Handle counted) {
        handle = counted;
    }

    /** Stops counting this execution among the operations that a prefix invalidation waits for. Idempotent. */
    public void leaveInFlight() {
        if (handle != null) {
            handle.end();
            handle = null;
        }
    }
}
