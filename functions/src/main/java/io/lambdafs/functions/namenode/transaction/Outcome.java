package io.lambdafs.functions.namenode.transaction;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import java.util.ArrayList;
import java.util.List;

/**
 * The decision of a write under its locks. Immutable.
 *
 * @param mutations changes to commit in the store, besides the request's slot
 * @param change its effect on the caches
 * @param events for the change log, if there is one
 */
public record Outcome(Reply reply, List<Mutation> mutations, CacheChange change, List<Change.Event> events) {
    public Outcome {
        mutations = List.copyOf(mutations);
        events = List.copyOf(events);
    }

    /** Returns an outcome that changes nothing. */
    public static Outcome unchanged(Reply reply) {
        return new Outcome(reply, List.of(), CacheChange.NONE, List.of());
    }

    public Outcome withMutations(List<Mutation> more) {
        List<Mutation> all = new ArrayList<>(mutations);
        all.addAll(more);
        return new Outcome(reply, all, change, events);
    }
}
