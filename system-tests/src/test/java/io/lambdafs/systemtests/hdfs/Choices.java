package io.lambdafs.systemtests.hdfs;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the parts of steps by a seed: few paths, owners, groups and rights, so that steps meet. Used by one thread.
 */
final class Choices {
    static final List<String> OWNERS = List.of("root", "u1", "u2");
    static final List<String> GROUPS = List.of("supergroup", "g1", "g2", "users");

    private static final int MAX_BELOW = 3;

    private static final List<String> PLACES = List.of("/", "/tmp", "/u1", "/u2");
    private static final List<String> FEW_PLACES = List.of("/tmp", "/u1", "/u2", "/u2");
    private static final List<String> FEW_NAMES = List.of("a", "b");
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<Integer> MODES = List.of(
            0777, 0755, 0755, 0750, 0711, 0700, 0770, 0644, 0664, 0640, 0600, 0040, 0004, 0000, 0555, 0333, 0111, 0070,
            01777, 01777, 01770);

    private static final List<String> ENTRIES = List.of(
            "user::rwx",
            "user::r-x",
            "user:u1:rwx",
            "user:u1:r--",
            "user:u1:---",
            "user:u2:-wx",
            "user:u2:r-x",
            "group::r-x",
            "group::---",
            "group:g1:rwx",
            "group:users:r-x",
            "group:g2:-w-",
            "mask::rwx",
            "mask::r--",
            "mask::---",
            "other::r-x",
            "other::---");

    private static final List<Integer> FILE_MODES = List.of(0666, 0666, 0666, 0644, 0664, 0622, 0600, 0640, 0444, 0000);

    final SplittableRandom random;
    /** True if steps are to meet in a few files that are open, rather than anywhere. */
    private final boolean ofOpenFiles;

    Choices(long seed, boolean ofOpenFiles) {
        random = new SplittableRandom(seed);
        this.ofOpenFiles = ofOpenFiles;
    }

    boolean ofOpenFiles() {
        return ofOpenFiles;
    }

    <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    Path path() {
        if (ofOpenFiles) {
            String place = any(FEW_PLACES);
            return new Path(random.nextInt(20) == 0 ? place : place + "/" + any(FEW_NAMES));
        }
        StringBuilder text = new StringBuilder(any(PLACES));
        for (int below = random.nextInt(MAX_BELOW + 1); below > 0; below--) {
            text.append(text.charAt(text.length() - 1) == '/' ? "" : "/").append(any(NAMES));
        }
        return new Path(text.toString());
    }

    /** Seldom a name, to change nothing. */
    @Nullable
    String maybe(List<String> names) {
        return random.nextInt(3) == 0 ? null : any(names);
    }

    /** Some entries of an ACL, seldom a whole one. */
    List<AclEntry> entries() {
        Set<String> given = new LinkedHashSet<>();
        if (random.nextInt(3) == 0) {
            given.addAll(List.of("user::rwx", "group::r-x", "other::r-x"));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            given.add((random.nextInt(3) == 0 ? "default:" : "") + any(ENTRIES));
        }
        return given.isEmpty() ? List.of() : AclEntry.parseAclSpec(String.join(",", given), true);
    }

    FsPermission mode() {
        return new FsPermission(any(ofOpenFiles ? FILE_MODES : MODES).shortValue());
    }
}
