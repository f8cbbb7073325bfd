package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.Member;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.List;

/**
 * A member's row. Immutable.
 *
 * @param renewals number of lease renewals so far
 * @param ended whether renewals have stopped for so long that its lease is over and can never be renewed
 */
record MemberRow(Member member, long renewals, boolean ended) {
    /** Offset from an epoch to its lease number, far beyond any epoch. */
    private static final long LEASES = 1L << 62;

    private static final int RENEWALS = 4;
    private static final int FLAGS = 5;
    private static final int GENERATION = 6;
    private static final long ENDED = 1;
    private static final long CACHES_NOTHING = 2;

    static MemberRow of(Row row) {
        long flags = row.int64(FLAGS);
        Member member = new Member(
                row.key().int64(1),
                (int) row.int64(0),
                row.string(1),
                row.string(2),
                (int) row.int64(3),
                (flags & CACHES_NOTHING) == 0,
                (int) row.int64(GENERATION));
        return new MemberRow(member, row.int64(RENEWALS), (flags & ENDED) != 0);
    }

    static Key key(long epoch) {
        return Schema.MEMBERS.key(0L, epoch);
    }

    /** Returns the lease number, which the store fences to refuse renewals of an epoch. */
    static long lease(long epoch) {
        return LEASES + epoch;
    }

    /** Returns the key of the row that exists while renewals of an epoch are granted. */
    static Key leaseKey(long epoch) {
        return Rows.instanceKey(lease(epoch));
    }

    static Row leaseRow(Member member) {
        return new Row(leaseKey(member.epoch()), (long) member.deployment(), member.instance(), 0L);
    }

    static Mutation renewed(long epoch) {
        return new Mutation.Merge(key(epoch), List.of(new Mutation.Delta(RENEWALS, Mutation.Delta.Kind.ADD, 1)));
    }

    MemberRow asEnded() {
        return new MemberRow(member, renewals, true);
    }

    Row row() {
        return new Row(
                key(member.epoch()),
                (long) member.deployment(),
                member.instance(),
                member.host(),
                (long) member.port(),
                renewals,
                (ended ? ENDED : 0) | (member.caches() ? 0 : CACHES_NOTHING),
                (long) member.generation());
    }
}
