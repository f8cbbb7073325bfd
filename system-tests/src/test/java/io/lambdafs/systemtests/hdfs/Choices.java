package io.lambdafs.systemtests.hdfs;

import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/** What steps are made of, by a seed: few paths, owners, groups and rights, so that steps meet. Used by one thread. */
final class Choices {
    static final List<String> OWNERS = List.of("root", "u1", "u2");
    static final List<String> GROUPS = List.of("supergroup", "g1", "g2", "users");

    private static final int MAX_BELOW = 3;

    private static final List<String> PLACES = List.of("/", "/tmp", "/u1", "/u2");
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<Integer> MODES = List.of(
            0777, 0755, 0755, 0750, 0711, 0700, 0770, 0644, 0664, 0640, 0600, 0040, 0004, 0000, 0555, 0333, 0111, 0070,
            01777, 01777, 01770);

    final SplittableRandom random;

    Choices(long seed) {
        random = new SplittableRandom(seed);
    }

    <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    Path path() {
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

    FsPermission mode() {
        return new FsPermission(any(MODES).shortValue());
    }
}
