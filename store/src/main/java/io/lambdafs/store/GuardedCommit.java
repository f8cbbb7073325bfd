package io.lambdafs.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction in one message: the reads with their locks, a guard on each row, and the mutations to make if all
 * guards hold. Immutable.
 *
 * @param guards one per read, in the same order
 * @param deadlineMillis as for {@link StoreTransaction#commit}
 */
public record GuardedCommit(List<Read> reads, List<Guard> guards, List<Mutation> mutations, long deadlineMillis) {
    public GuardedCommit {
        reads = List.copyOf(reads);
        guards = List.copyOf(guards);
        mutations = List.copyOf(mutations);
        if (reads.size() != guards.size()) {
            throw new IllegalArgumentException(reads.size() + " reads with " + guards.size() + " guards");
        }
    }

    /** Returns whether all guards hold. */
    boolean holds(List<@Nullable Row> rows) {
        for (int i = 0; i < guards.size(); i++) {
            if (!guards.get(i).holds(rows.get(i))) {
                return false;
            }
        }
        return true;
    }
}
