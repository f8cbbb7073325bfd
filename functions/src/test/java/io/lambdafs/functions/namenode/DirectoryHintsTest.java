package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsPath;
import org.junit.jupiter.api.Test;

class DirectoryHintsTest {
    private static FsPath path(int number) {
        return FsPath.of("/d" + number);
    }

    @Test
    void shouldRememberAsManyAsThereIsRoomForAndThoseThatWereAskedForLast() {
        DirectoryHints hints = new DirectoryHints(3);
        for (int i = 1; i <= 3; i++) {
            hints.add(path(i), i);
        }
        assertThat(hints.idOf(path(1))).isEqualTo(1);
        hints.add(path(4), 4);
        assertThat(hints.idOf(path(2))).isNull();
        assertThat(hints.idOf(path(1))).isEqualTo(1);
        assertThat(hints.idOf(path(3))).isEqualTo(3);
        assertThat(hints.idOf(path(4))).isEqualTo(4);
    }

    @Test
    void shouldRememberNothingWithoutRoom() {
        DirectoryHints hints = new DirectoryHints(0);
        hints.add(path(1), 1);
        assertThat(hints.idOf(path(1))).isNull();
    }
}
