package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
    @TempDir
    private Path folder;

    /** The only file of the folder. */
    private Path library() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.reduce((one, other) -> {
                        throw new AssertionError(one + " and " + other);
                    })
                    .orElseThrow();
        }
    }

    @Test
    void shouldKeepOneCopyAndReplaceADamagedOne() throws IOException {
        NativeLibrary.unpack(folder);
        long size = Files.size(library());
        assertThat(size).isGreaterThan(1 << 20);

        Files.write(library(), new byte[] {1, 2, 3});
        NativeLibrary.unpack(folder);

        assertThat(library()).hasSize(size);
    }
}
