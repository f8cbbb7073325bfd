package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;

/**
 * The members known to this instance: those reported by the coordinator's watch, and those not reported yet but known
 * from a greeting or a list. The latter stay until the watch has reported them and then reports them gone, or until
 * they are known to be removed; a late report cannot remove them. Epochs never return, so the last {@value #MAX_GONE}
 * gone ones are remembered, lest a late report or greeting revive one. Thread-safe: reads are lock-free, followers are
 * called outside the lock.
 */
final class Roster {
    private static final int MAX_GONE = 1_024;

    private final Map<Long, Member> learned = new HashMap<>();
    private final Set<Long> gone = new LinkedHashSet<>();
    private final Set<Consumer<View>> followers = new CopyOnWriteArraySet<>();
    private View reported = View.EMPTY;
    private long version;
    private volatile View view = View.EMPTY;

    View view() {
        return view;
    }

    /** Calls back with every further change, on the thread that made it; views may come out of order. */
    void follow(Consumer<View> follower) {
        followers.add(follower);
    }

    void unfollow(Consumer<View> follower) {
        followers.remove(follower);
    }

    /** Returns the number of followers. */
    int followers() {
        return followers.size();
    }

    /** Applies a report of the coordinator's watch. */
    void report(View fresh) {
        synchronized (this) {
            for (Long epoch : reported.members().keySet()) {
                if (!fresh.members().containsKey(epoch)) {
                    bury(epoch);
                }
            }
            reported = fresh;
            learned.keySet().removeAll(fresh.members().keySet());
            merge();
        }
        tell();
    }

    /** Adds a member known from a greeting or a list, not from the watch. */
    void learn(Member member) {
        synchronized (this) {
            if (gone.contains(member.epoch())
                    || reported.members().containsKey(member.epoch())
                    || learned.putIfAbsent(member.epoch(), member) != null) {
                return;
            }
            merge();
        }
        tell();
    }

    /** Removes a member known to be removed at the coordinator. */
    void forget(long epoch) {
        synchronized (this) {
            bury(epoch);
            merge();
        }
        tell();
    }

    /** Returns whether a member is known but not yet reported by the watch. */
    synchronized boolean isUnreported(long epoch) {
        return learned.containsKey(epoch);
    }

    private void bury(long epoch) {
        learned.remove(epoch);
        if (gone.add(epoch) && gone.size() > MAX_GONE) {
            gone.remove(gone.iterator().next());
        }
    }

    private void merge() {
        Map<Long, Member> members = new HashMap<>(reported.members());
        members.putAll(learned);
        members.keySet().removeAll(gone);
        Set<Long> absent = new HashSet<>(reported.absent());
        absent.retainAll(members.keySet());
        view = new View(++version, members, absent);
    }

    private void tell() {
        View now = view;
        for (Consumer<View> follower : followers) {
            follower.accept(now);
        }
    }
}
