package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.model.Times;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Coordinator} over rows of the store. A member is a row of {@link Schema#MEMBERS}; its right to renew is a number of its own
 * in the store, which {@link #refuseRenewals} fences: open renewals are aborted and later ones refused, even those of a process that
 * froze in the middle of one. A renewal adds one to the member's counter. There is no session: a member that has not renewed
 * for {@link Times#session}, by the observer's clock, can never renew again and is absent.
 *
 * <p>Nothing is retried here. Thread-safe; does not own the store. Close it only after the instance's session has left or closed:
 * others take closing for the end of the lease.
 */
public final class StoreCoordinator implements Coordinator {
    private static final Logger log = LoggerFactory.getLogger(StoreCoordinator.class);
    private static final int MAX_MEMBERS = 10_000;
    private static final int LETTERS_AT_ONCE = 16;

    private final Transactions transactions;
    private final MembershipPoll poll;
    private final StoreMailboxes mailboxes;
    private final AtomicLong version = new AtomicLong();
    private final Set<Long> registered = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public StoreCoordinator(MetadataStore store, Scheduler scheduler, Times times) {
        transactions = new Transactions(store);
        poll = new MembershipPoll(this::readRows, this::endStale, scheduler, times);
        mailboxes = new StoreMailboxes(transactions, scheduler, times);
    }

    @Override
    public void watch(Consumer<View> listener) {
        poll.follow(rows -> listener.accept(view(rows)));
    }

    @Override
    public CompletionStage<View> register(Member self) {
        return transactions
                .change(0, List.of(Read.exclusive(MemberRow.key(self.epoch()))), rows -> {
                    if (rows.get(0) != null) {
                        throw new FsException(
                                ErrorCode.INTERNAL,
                                "epoch " + self.epoch() + " is registered already; epochs are used once");
                    }
                    return List.of(
                            new Mutation.Put(MemberRow.leaseRow(self)),
                            new Mutation.Put(new MemberRow(self, 0, false).row()));
                })
                .thenCompose(done -> {
                    registered.add(self.epoch());
                    return members();
                });
    }

    @Override
    public CompletionStage<View> members() {
        return closed
                ? CompletableFuture.failedFuture(new FsException(ErrorCode.UNAVAILABLE, "this coordinator is closed"))
                : readRows().thenApply(this::view);
    }

    private CompletionStage<List<MemberRow>> readRows() {
        return transactions
                .scan(new Scan(Schema.MEMBERS, 0L, null, MAX_MEMBERS + 1))
                .thenApply(rows -> {
                    if (rows.size() > MAX_MEMBERS) {
                        throw new FsException(
                                ErrorCode.UNAVAILABLE, "there are more than " + MAX_MEMBERS + " members: run fewer");
                    }
                    return rows.stream().map(MemberRow::of).toList();
                });
    }

    private View view(List<MemberRow> rows) {
        Map<Long, Member> members = new HashMap<>();
        Set<Long> absent = new HashSet<>();
        for (MemberRow row : rows) {
            members.put(row.member().epoch(), row.member());
            if (row.ended()) {
                absent.add(row.member().epoch());
            }
        }
        return new View(version.incrementAndGet(), members, absent);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Belongs to the lease's number in the store, under whose row it holds a shared lock: a refusal waits for its commit or aborts
     * it, and it never brings back the row of a member that is being forgotten.
     */
    @Override
    public CompletionStage<Void> renew(long epoch) {
        return transactions.change(MemberRow.lease(epoch), List.of(Read.shared(MemberRow.leaseKey(epoch))), rows -> {
            if (rows.get(0) == null) {
                throw new FsException(
                        ErrorCode.FENCED,
                        "the lease of epoch " + epoch
                                + " cannot be renewed: it was fenced, or was silent for too long");
            }
            return List.of(MemberRow.renewed(epoch));
        });
    }

    @Override
    public CompletionStage<Void> refuseRenewals(long epoch) {
        return transactions.fence(MemberRow.lease(epoch));
    }

    @Override
    public CompletionStage<Void> forget(long epoch) {
        return refuseRenewals(epoch)
                .thenCompose(refused -> remove(epoch))
                .thenAccept(removed -> registered.remove(epoch));
    }

    /** The letters are looked at while their senders are locked out: none is left behind. */
    private CompletionStage<Boolean> remove(long epoch) {
        return transactions
                .run(
                        0,
                        transaction -> transaction
                                .read(List.of(Read.exclusive(MemberRow.key(epoch))), 0)
                                .thenCompose(locked ->
                                        transaction.scan(new Scan(Schema.LETTERS, epoch, null, LETTERS_AT_ONCE)))
                                .thenCompose(letters -> transaction
                                        .read(locks(letters), 0)
                                        .thenCompose(held -> {
                                            boolean last = letters.size() < LETTERS_AT_ONCE;
                                            return transaction
                                                    .commit(removals(epoch, letters, last), Long.MAX_VALUE)
                                                    .thenApply(removed -> last);
                                        })))
                .thenCompose(last -> last ? CompletableFuture.completedFuture(true) : remove(epoch));
    }

    private static List<Read> locks(List<Row> letters) {
        return letters.stream().map(letter -> Read.exclusive(letter.key())).toList();
    }

    private static List<Mutation> removals(long epoch, List<Row> letters, boolean memberToo) {
        List<Mutation> removals = new ArrayList<>();
        letters.forEach(letter -> removals.add(new Mutation.Delete(letter.key())));
        if (memberToo) {
            removals.add(new Mutation.Delete(MemberRow.key(epoch)));
        }
        return removals;
    }

    /** No renewal since a watcher saw this count: refuses further ones, and says so unless one came first. */
    private void endStale(MemberRow seen) {
        log.info(
                "Epoch {} (instance {}) has not renewed its lease for long",
                seen.member().epoch(),
                seen.member().instance());
        end(seen.member().epoch(), now -> now.renewals() == seen.renewals());
    }

    /** Ends what this process has registered, as others would when it had been silent for long enough. */
    CompletionStage<Void> endSession() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (Long epoch : Set.copyOf(registered)) {
            registered.remove(epoch);
            all.add(end(epoch, now -> true).toCompletableFuture());
        }
        return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
    }

    private CompletionStage<Void> end(long epoch, Predicate<MemberRow> condition) {
        return refuseRenewals(epoch)
                .thenCompose(refused -> transactions.change(0, List.of(Read.exclusive(MemberRow.key(epoch))), rows -> {
                    Row row = rows.get(0);
                    MemberRow now = row == null ? null : MemberRow.of(row);
                    return now == null || !condition.test(now)
                            ? List.of()
                            : List.of(new Mutation.Put(now.asEnded().row()));
                }));
    }

    @Override
    public Mailboxes mailboxes() {
        return mailboxes;
    }

    @Override
    public void close() {
        poll.close();
        mailboxes.close();
        closed = true;
        endSession().whenComplete((ended, failure) -> transactions.close());
    }
}
