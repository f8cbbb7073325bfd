package io.lambdafs.store.ndb;

import io.lambdafs.store.Key;
import io.lambdafs.store.Table;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether several rows were read at one moment. NDB makes the rows of a transaction visible one after the
 * other; but this process writes all of them, and notes here each group's changes before its commit, and when it is
 * over. Rows that no group changed during the read are of one moment. Thread-safe; groups come one after the other.
 */
final class Moments {
    /** The number of groups remembered; a longer read assumes that everything has changed. */
    private static final int REMEMBERED = 256;

    /** The number of keys of all remembered groups, except the last one, which may have any number. */
    private static final int REMEMBERED_KEYS = 16_384;

    private final AtomicReferenceArray<@Nullable Group> groups = new AtomicReferenceArray<>(REMEMBERED);
    private volatile long begun;
    private volatile long ended;
    // Confined to the thread that writes groups.
    private long oldest = 1;
    private long keysRemembered;

    /** A partition of a table. */
    record Partition(Table table, Object value) {
        static Partition of(Key key) {
            return new Partition(key.table(), key.partition());
        }
    }

    private record Group(long number, Set<Key> keys, Set<Partition> partitions) {}

    /** Notes the keys that a group changes, just before its commit. */
    void begin(Set<Key> keys) {
        Set<Partition> partitions = new HashSet<>();
        keys.forEach(key -> partitions.add(Partition.of(key)));
        long number = begun + 1;
        keysRemembered += keys.size();
        while (oldest < number && (keysRemembered > REMEMBERED_KEYS || number - oldest >= REMEMBERED)) {
            forgetOldest();
        }
        groups.set(place(number), new Group(number, keys, partitions));
        begun = number;
    }

    private void forgetOldest() {
        Group forgotten = groups.getAndSet(place(oldest), null);
        keysRemembered -= forgotten == null ? 0 : forgotten.keys().size();
        oldest++;
    }

    private static int place(long number) {
        return (int) (number % REMEMBERED);
    }

    /** Notes that the group is over: its outcome is known. */
    void end() {
        ended = begun;
    }

    /** Returns whether the outcome of every group is known. */
    boolean isQuiet() {
        return ended == begun;
    }

    /** Returns the present moment, to be taken before a read. */
    long now() {
        return ended;
    }

    /** Returns whether no group has changed any of these rows since. */
    boolean held(long since, Collection<Key> keys) {
        return held(since, group -> keys.stream().noneMatch(group.keys()::contains));
    }

    /** Returns whether no group has changed a row of a partition since. */
    boolean held(long since, Partition partition) {
        return held(since, group -> !group.partitions().contains(partition));
    }

    private boolean held(long since, Predicate<Group> apart) {
        long until = begun;
        if (until - since >= REMEMBERED) {
            return false;
        }
        for (long number = since + 1; number <= until; number++) {
            Group group = groups.get(place(number));
            if (group == null || group.number() != number || !apart.test(group)) {
                return false;
            }
        }
        return true;
    }
}
