package io.lambdafs.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyTest {
    @Test
    void shouldGiveNumberedFilesOfNumberedDirectoriesDifferentHashes() {
        Set<Integer> hashes = new HashSet<>();
        Set<Integer> places = new HashSet<>();
        for (long directory = 1; directory <= 1_000; directory++) {
            for (int file = 0; file < 100; file++) {
                int hash = Schema.INODES.key(directory, "part-000" + file).hashCode();
                hashes.add(hash);
                // As HashMap places it.
                places.add((hash ^ hash >>> 16) & (1 << 17) - 1);
            }
        }

        assertThat(hashes).hasSizeGreaterThan(99_000);
        // At random 69,000 of 131,072.
        assertThat(places).hasSizeGreaterThan(60_000);
    }
}
