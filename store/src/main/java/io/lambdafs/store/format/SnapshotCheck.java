package io.lambdafs.store.format;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.snapshot.HeldFile;
import io.lambdafs.store.snapshot.Kept;
import io.lambdafs.store.snapshot.SnapshotNumber;
import io.lambdafs.store.snapshot.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks the rows of snapshots in one pass: each version is among what its last snapshot keeps, once; that one is there, or still to be looked
 * through; and files are held by as many versions as they say. Not thread-safe.
 */
final class SnapshotCheck {
    private final Set<Key> versions = new HashSet<>();
    private final Map<Key, Long> kept = new LinkedHashMap<>();
    private final Map<Long, SnapshotNumber> numbers = new HashMap<>();
    private final Map<Long, Long> named = new HashMap<>();
    private final Map<Long, Long> holding = new HashMap<>();
    private final Map<Long, HeldFile> held = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    void add(Row row) {
        Table table = row.key().table();
        if (table.equals(Schema.VERSIONS)) {
            versions.add(row.key());
            Version version = Version.of(row);
            if (version.holdsContent()) {
                holding.merge(version.node().id(), 1L, Long::sum);
            }
        } else if (table.equals(Schema.DIRECTORY_VERSIONS)) {
            versions.add(row.key());
        } else if (table.equals(Schema.KEPT)) {
            // Two writes may copy the same counts, and the first copy may be listed elsewhere before the second is
            // made.
            boolean again = kept.put(Kept.of(row).target(), row.key().int64(0)) != null;
            if (again && Kept.of(row).target().table().equals(Schema.VERSIONS)) {
                problems.add(Kept.of(row).target() + " is kept for two snapshots");
            }
        } else if (table.equals(Schema.SNAPSHOT_NUMBERS)) {
            numbers.put(row.key().int64(1), SnapshotNumber.of(row));
        } else if (table.equals(Schema.SNAPSHOTS)) {
            named.put(row.int64(0), row.key().int64(0));
        } else if (table.equals(Schema.HELD_FILES)) {
            held.put(row.key().int64(0), HeldFile.of(row));
        }
    }

    /** Returns whether versions hold a file's content. */
    boolean holds(long fileId) {
        return holding.containsKey(fileId);
    }

    List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        versions.stream()
                .filter(key -> !kept.containsKey(key))
                .forEach(key -> all.add("the version " + key + " is kept for no snapshot: nobody will remove it"));
        kept.forEach((key, number) -> {
            SnapshotNumber snapshot = numbers.get(number);
            if (!versions.contains(key)) {
                all.add("the version " + key + " is kept for the snapshot " + number + ", and is not there");
            }
            if (snapshot == null || (!snapshot.isLive() && snapshot.writes() == 0)) {
                all.add("the version " + key + " is kept for the snapshot " + number
                        + ", which is gone: nobody will remove it");
            }
        });
        named.forEach((number, directory) -> {
            SnapshotNumber snapshot = numbers.get(number);
            if (snapshot == null || !snapshot.isLive() || snapshot.directoryId() != directory) {
                all.add("the snapshot " + number + " of the directory " + directory + " is not among all snapshots");
            }
        });
        numbers.values().stream()
                .filter(each -> each.isLive() && !named.containsKey(each.number()))
                .forEach(each -> all.add("the snapshot " + each.number() + " has no name"));
        Set<Long> files = new HashSet<>(holding.keySet());
        files.addAll(held.keySet());
        for (Long file : files) {
            long counted = held.getOrDefault(file, new HeldFile(0, false)).versions();
            long there = holding.getOrDefault(file, 0L);
            if (counted != there) {
                all.add("the file " + file + " is held by " + counted + " versions, and " + there + " are there");
            }
        }
        return all;
    }

    List<String> unfinished() {
        List<String> all = new ArrayList<>();
        numbers.values().stream()
                .filter(each -> !each.isLive() && each.writes() > 0)
                .forEach(each ->
                        all.add("what the deleted snapshot " + each.number() + " has kept waits to be looked through"));
        return all;
    }
}
