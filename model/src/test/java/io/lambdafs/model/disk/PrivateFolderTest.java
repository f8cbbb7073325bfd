package io.lambdafs.model.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
    @TempDir
    private Path folder;

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void shouldMakeAFolderForItsOwnerAlone() throws IOException {
        Path inner = folder.resolve("a/b");

        assertThat(PrivateFolder.make(inner)).isEmpty();

        assertThat(mode(inner)).isEqualTo("rwx------");
        assertThat(mode(Files.createFile(inner.resolve("f"), PrivateFolder.forFile(inner))))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldCloseAFolderThatIsThere() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x--x"));
        assertThat(PrivateFolder.openTo(folder)).hasValue("rwxr-x--x");

        assertThat(PrivateFolder.make(folder)).isEmpty();

        assertThat(mode(folder)).isEqualTo("rwx------");
        assertThat(PrivateFolder.openTo(folder)).isEmpty();
    }

    @Test
    void shouldTellOfAFolderThatItCannotClose() throws IOException {
        Path others = Path.of("/proc/self/task");

        assertThat(PrivateFolder.make(others)).isPresent().get().asString().contains("chmod 700 /proc/self/task");
    }
}
