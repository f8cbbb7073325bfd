package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalFilesTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException {
        for (String name : new String[] {"x.log", ".log", "12a.log", "000009.sst"}) {
            Files.write(directory.resolve(name), new byte[3]);
        }
        Files.write(directory.resolve("000003.log"), new byte[10]);
        Files.write(directory.resolve("000005.log"), new byte[20]);
        Files.write(directory.resolve("000017.log"), new byte[30]);
    }

    private static WalWatermark.Position at(long wal, long length) {
        return new WalWatermark.Position(wal, length, 1);
    }

    @Test
    void shouldListLogsByTheirNumbersAndNothingElse() throws IOException {
        assertThat(WalFiles.list(directory)).containsOnlyKeys(3L, 5L, 17L);
        assertThat(WalFiles.list(directory).lastEntry().getValue()).isEqualTo(directory.resolve("000017.log"));
    }

    @Test
    void shouldCountWhatComesAfterAPosition() throws IOException {
        assertThat(WalFiles.bytesAfter(directory, at(5, 15))).isEqualTo(35);
        assertThat(WalFiles.bytesAfter(directory, at(5, 25))).isEqualTo(30);
        assertThat(WalFiles.bytesAfter(directory, at(4, 7))).isEqualTo(50);
        assertThat(WalFiles.bytesAfter(directory, at(17, 30))).isZero();
        assertThat(WalFiles.bytesAfter(directory, at(18, 0))).isZero();
    }

    @Test
    void shouldRemoveWhatComesAfterAPosition() throws IOException {
        assertThat(WalFiles.cutBack(directory, at(5, 15))).isEqualTo(35);
        assertThat(directory.resolve("000003.log")).hasSize(10);
        assertThat(directory.resolve("000005.log")).hasSize(15);
        assertThat(directory.resolve("000017.log")).doesNotExist();
        assertThat(directory.resolve("12a.log")).hasSize(3);
        assertThat(WalFiles.cutBack(directory, at(5, 15))).isZero();
        assertThat(WalFiles.cutBack(directory, at(5, 16))).isZero();
        assertThat(directory.resolve("000005.log")).hasSize(15);
    }
}
