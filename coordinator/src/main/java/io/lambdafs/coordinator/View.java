package io.lambdafs.coordinator;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The members as known to one instance: at least every instance that may have cached anything, because a newcomer
 * caches nothing until all have acknowledged it. Immutable. Both collections iterate in epoch order, so that a
 * simulation's seed replays exactly.
 *
 * @param version increases with every change seen
 * @param members by epoch, including the instance itself
 * @param absent epochs of members whose coordinator session has ended: their lease is over and they only need to be
 *     fenced
 */
public record View(long version, Map<Long, Member> members, Set<Long> absent) {
    public static final View EMPTY = new View(0, Map.of(), Set.of());

    public View {
        members = Collections.unmodifiableMap(new TreeMap<>(members));
        absent = Collections.unmodifiableSet(new TreeSet<>(absent));
    }
}
