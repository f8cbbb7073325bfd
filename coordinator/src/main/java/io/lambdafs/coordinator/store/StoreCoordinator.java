package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Times;
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
 * A {@link Coordinator} on rows of the store. A member is a row of {@link Schema#MEMBERS}; its right to renew is a
 * separate number in the store, fenced by {@link #refuseRenewals}: open renewals are aborted and later ones refused,
 * even those of a process that froze in the middle of one. A renewal increments the member's counter. There is no
 * session: a member that has not renewed for {@link Times#session} by the observer's clock can never renew again and is
 * absent.
 *
 * <p>Does not retry. Thread-safe; does not own the store. Close it only after the instance's session has left or
 * closed, because others take closing for the end of the lease.
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
                ? CompletableFuture.failedFuture(FsException.unavailable("this coordinator is closed"))
                : readRows().thenApply(this::view);
    }

    private CompletionStage<List<MemberRow>> readRows() {
        return transactions
                .scan(new Scan(Schema.MEMBERS, 0L, null, MAX_MEMBERS + 1))
                .thenApply(rows -> {
                    if (rows.size() > MAX_MEMBERS) {
                        throw FsException.unavailable("there are more than " + MAX_MEMBERS + " members: run fewer");
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
     * <p>Runs under the lease number, holding a shared lock on its row: a refusal waits for its commit or aborts it,
     * and it never restores the row of a member being removed.
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

    /** Reads the letters while their senders are locked out, so that none is left behind. */
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

    /**
     * Refuses renewals of a member that has not renewed since a watcher saw this count, and marks it ended unless a
     * renewal came first.
     */
    private void endStale(MemberRow seen) {
        log.info(
                "Epoch {} (instance {}) has not renewed its lease for long",
                seen.member().epoch(),
                seen.member().instance());
        end(seen.member().epoch(), now -> now.renewals() == seen.renewals());
    }

    /** Ends this process's registrations, as others would after a long silence. */
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
