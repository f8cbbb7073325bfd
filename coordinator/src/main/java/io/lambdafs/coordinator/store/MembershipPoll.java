package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.GuardedListener;
import io.lambdafs.coordinator.Member;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.model.time.Times;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members eight times per lease, reports changes, and keeps a local history of the counters (the HopsFS
 * thesis, §4.1.8): a member whose counter has not changed for a session timeout is ended. One read at a time, none
 * before there is a follower. Thread-safe.
 */
final class MembershipPoll {
    private final Supplier<CompletionStage<List<MemberRow>>> reading;
    private final GuardedListener<MemberRow> stale;
    private final Scheduler scheduler;
    private final long intervalNanos;
    private final long sessionNanos;
    private final List<Follower> followers = new CopyOnWriteArrayList<>();
    /** From the last read; accessed by one read at a time. */
    private Map<Long, Seen> history = Map.of();

    private boolean running;
    private volatile boolean closed;

    /** A counter value and when it was first seen. */
    private record Seen(long renewals, long at) {}

    /** A member's state as reported to followers. */
    private record Shown(Member member, boolean ended) {}

    MembershipPoll(
            Supplier<CompletionStage<List<MemberRow>>> reading,
            Consumer<MemberRow> stale,
            Scheduler scheduler,
            Times times) {
        this.reading = reading;
        this.stale = new GuardedListener<>(stale);
        this.scheduler = scheduler;
        this.intervalNanos = times.lease().toNanos() / 8;
        this.sessionNanos = times.session().toNanos();
    }

    void follow(Consumer<List<MemberRow>> listener) {
        followers.add(new Follower(listener));
        synchronized (this) {
            if (running) {
                return;
            }
            running = true;
        }
        read();
    }

    void close() {
        closed = true;
    }

    private void read() {
        if (closed) {
            return;
        }
        long sentAt = scheduler.nanoTime();
        Stages.call(reading).whenComplete((rows, failure) -> {
            if (failure == null && !closed) {
                remember(rows, sentAt);
                followers.forEach(follower -> follower.tell(rows));
            }
            // Failures may be transient: the next read shows everything.
            if (!closed) {
                Scheduler.Essential next = this::read;
                scheduler.schedule(intervalNanos, next);
            }
        });
    }

    private synchronized void remember(List<MemberRow> rows, long sentAt) {
        long now = scheduler.nanoTime();
        Map<Long, Seen> next = new HashMap<>();
        for (MemberRow row : rows) {
            Seen before = history.get(row.member().epoch());
            long since = before != null && before.renewals() == row.renewals() ? before.at() : now;
            if (!row.ended() && sentAt - since >= sessionNanos) {
                // If it fails, retried after another session timeout.
                stale.tell(row);
                since = now;
            }
            next.put(row.member().epoch(), new Seen(row.renewals(), since));
        }
        history = next;
    }

    /** Reports only changes to one listener. Called by one read at a time. */
    private static final class Follower {
        private final GuardedListener<List<MemberRow>> listener;
        private @Nullable List<Shown> last;

        Follower(Consumer<List<MemberRow>> listener) {
            this.listener = new GuardedListener<>(listener);
        }

        synchronized void tell(List<MemberRow> rows) {
            List<Shown> now = rows.stream()
                    .map(row -> new Shown(row.member(), row.ended()))
                    .toList();
            if (!now.equals(last)) {
                last = listener.tell(rows) ? now : null;
            }
        }
    }
}
