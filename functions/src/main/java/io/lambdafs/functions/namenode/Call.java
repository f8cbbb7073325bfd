package io.lambdafs.functions.namenode;

import io.lambdafs.functions.cache.Hold;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Ticket;
import io.lambdafs.functions.inflight.InFlight;
import io.lambdafs.model.Principal;
import io.lambdafs.model.RequestId;
import io.lambdafs.model.Scope;
import io.lambdafs.rpc.tracing.TraceParent;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.StoreTransaction;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a request: its caller, id, deadline, and the epoch that it began under. Confined to the steps of
 * that execution, which follow one another.
 */
public final class Call {
    private final Principal caller;
    private final RequestId id;
    private final long deadlineMillis;
    private final long epoch;
    private final Ticket first;
    private final @Nullable TraceParent trace;
    private InFlight.@Nullable Handle handle;

    /** @param trace the request's span in this instance; null where it is not traced */
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

    /** Wall clock, milliseconds since 1970. */
    public long deadlineMillis() {
        return deadlineMillis;
    }

    public long epoch() {
        return epoch;
    }

    /** Begins a transaction of this execution. */
    public StoreTransaction begin(MetadataStore store) {
        StoreTransaction begun = store.begin(epoch);
        return trace == null ? begun : new TracedTransaction(begun, trace);
    }

    /** A ticket for what is read from now on, which is void once the epoch that this execution began under is over. */
    Ticket ticket(PathTrie trie) {
        return trie.ticket(first);
    }

    /** {@link PathTrie#hold} of what this execution changes. */
    Hold hold(PathTrie trie, Scope scope) {
        return trie.hold(scope, first);
    }

    public void counted(InFlight.Handle counted) {
        handle = counted;
    }

    /** No longer counted among the operations that a prefix invalidation waits for. Idempotent. */
    public void leaveInFlight() {
        if (handle != null) {
            handle.end();
            handle = null;
        }
    }
}
