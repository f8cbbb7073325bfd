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
 * The members as this instance knows them: what the coordinator's watch reports, and besides what it has not reported yet but is
 * known from a greeting or a fresh list. A member that was learned so stays until the watch has reported it and then reports it
 * gone, or until it is known to be forgotten; a late report cannot remove it. Epochs never come back, so the last
 * {@value #MAX_GONE} that went are remembered, lest a late report or greeting revive one. Thread-safe: reads are lock-free,
 * followers are called outside of the lock.
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

    /** Calls back with every change from now on, on the thread that brought it; views may come out of order. */
    void follow(Consumer<View> follower) {
        followers.add(follower);
    }

    void unfollow(Consumer<View> follower) {
        followers.remove(follower);
    }

    /** Returns how many are called back. */
    int followers() {
        return followers.size();
    }

    /** The coordinator's watch reports. */
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

    /** A member is known otherwise than by the watch: it has greeted, or is in a list read afresh. */
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

    /** A member is known to be forgotten by the coordinator. */
    void forget(long epoch) {
        synchronized (this) {
            bury(epoch);
            merge();
        }
        tell();
    }

    /** Returns whether a member is known only otherwise than by the watch. */
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
