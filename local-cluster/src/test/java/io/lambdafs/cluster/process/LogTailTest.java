package io.lambdafs.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {
    @TempDir
    private Path folder;

    @Test
    void shouldReturnTheLastLinesWithoutStackTraces() throws Exception {
        Path log =
                Files.writeString(folder.resolve("log"), "one\ntwo\n\nthree\n\tat a.B.c(B.java:1)\nfour\nfive\nsix\n");
        assertThat(LogTail.of(log)).isEqualTo("; it said:\n    two\n    three\n    four\n    five\n    six");
        assertThat(LogTail.of(folder.resolve("none"))).isEmpty();
    }

    @Test
    void shouldReadTheEndOfALogThatNoArrayHolds() throws Exception {
        Path log = folder.resolve("log");
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.seek(5L << 30);
            file.write("\nthe disk is full\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(LogTail.of(log)).endsWith("    the disk is full");
    }
}
