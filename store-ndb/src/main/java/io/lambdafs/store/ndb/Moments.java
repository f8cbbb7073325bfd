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
 * Tells whether several rows were read at one moment. NDB makes the rows of a transaction visible one after the other; but all of them are
 * written by this process, which notes here what each group changes before it is committed, and when it is over. What was read while no
 * group changed any of it is of one moment. Thread-safe; groups come one after the other.
 */
final class Moments {
    /** Groups that are remembered; who reads for longer than that takes it that all has changed. */
    private static final int REMEMBERED = 256;

    /** Keys of all groups that are remembered, but for the last one, which has as many as it changes. */
    private static final int REMEMBERED_KEYS = 16_384;

    private final AtomicReferenceArray<@Nullable Group> groups = new AtomicReferenceArray<>(REMEMBERED);
    private volatile long begun;
    private volatile long ended;
    // Of the thread that writes groups.
    private long oldest = 1;
    private long keysRemembered;

    /** A partition of a table. */
    record Partition(Table table, Object value) {
        static Partition of(Key key) {
            return new Partition(key.table(), key.partition());
        }
    }

    private record Group(long number, Set<Key> keys, Set<Partition> partitions) {}

    /** Notes what a group changes, which is about to be committed. */
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

    /** Notes that the group is over: it is known how it ended. */
    void end() {
        ended = begun;
    }

    /** Whether it is known how every group ended. */
    boolean isQuiet() {
        return ended == begun;
    }

    /** Taken before reading. */
    long now() {
        return ended;
    }

    /** Whether no group has changed any of these rows since. */
    boolean held(long since, Collection<Key> keys) {
        return held(since, group -> keys.stream().noneMatch(group.keys()::contains));
    }

    /** Whether no group has changed a row of a partition since. */
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
