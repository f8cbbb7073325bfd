package io.lambdafs.store.lock;

import io.lambdafs.store.LockMode;
import io.lambdafs.store.Read;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The total order in which every transaction takes the locks of a call. Stateless. */
final class LockOrder {
    private static final Comparator<Read> BY_KEY_STRONGEST_FIRST =
            Comparator.comparing(Read::key).thenComparing(Read::lock, Comparator.reverseOrder());

    private LockOrder() {}

    /** Returns the locks of some reads: sorted by key, one per key. */
    static List<Read> of(List<Read> reads) {
        List<Read> locks = new ArrayList<>(reads.size());
        for (Read read : reads) {
            if (read.lock() != LockMode.NONE) {
                locks.add(read);
            }
        }
        if (locks.size() < 2) {
            return locks;
        }
        locks.sort(BY_KEY_STRONGEST_FIRST);
        List<Read> distinct = new ArrayList<>(locks.size());
        for (Read lock : locks) {
            if (distinct.isEmpty() || !distinct.get(distinct.size() - 1).key().equals(lock.key())) {
                distinct.add(lock);
            }
        }
        return distinct;
    }
}
