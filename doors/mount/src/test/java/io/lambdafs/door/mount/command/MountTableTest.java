package io.lambdafs.door.mount.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountTableTest {
    private static final List<String> LINES =
            List.of("proc /proc proc rw 0 0", "lambdafs /mnt/with\\040blank fuse.lambdafs rw 0 0");

    @Test
    void shouldFindDirectoriesWhateverTheirNames() {
        assertThat(MountTable.has(LINES, Path.of("/proc"))).isTrue();
        assertThat(MountTable.has(LINES, Path.of("/mnt/with blank"))).isTrue();
        assertThat(MountTable.has(LINES, Path.of("/mnt/with"))).isFalse();
    }
}
