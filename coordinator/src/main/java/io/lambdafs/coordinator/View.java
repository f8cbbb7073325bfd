package io.lambdafs.coordinator;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The members as one instance knows them: at least every instance that may have cached anything, for a newcomer caches nothing
 * until all have acknowledged it. Immutable. Both collections iterate in the order of the epochs, so that a simulation's seed replays
 * exactly.
 *
 * @param version rises with every change seen
 * @param members by epoch, the instance itself among them
 * @param absent epochs of members whose coordinator session has ended: their lease is over, they need only be fenced
 */
public record View(long version, Map<Long, Member> members, Set<Long> absent) {
    public static final View EMPTY = new View(0, Map.of(), Set.of());

    public View {
        members = Collections.unmodifiableMap(new TreeMap<>(members));
        absent = Collections.unmodifiableSet(new TreeSet<>(absent));
    }
}
