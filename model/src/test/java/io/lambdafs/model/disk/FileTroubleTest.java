package io.lambdafs.model.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class FileTroubleTest {
    private static FsException of(IOException e) {
        return FileTrouble.of("cannot write /x", e);
    }

    @Test
    void shouldTellAFullDiskFromMissingRights() {
        for (IOException full : new IOException[] {
            new IOException("No space left on device"),
            new FileSystemException("/x", null, "Disk quota exceeded"),
            new IOException("Cannot run program", new IOException("error=28, No space left on device"))
        }) {
            assertThat(of(full).code()).isEqualTo(ErrorCode.STORE_FULL);
            assertThat(of(full)).hasMessageStartingWith("cannot write /x: the disk is full");
        }
        for (IOException refused : new IOException[] {
            new AccessDeniedException("/x"),
            new FileSystemException("/x", null, "Read-only file system"),
            new IOException("/x (Permission denied)")
        }) {
            assertThat(of(refused).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        }
        assertThat(of(new IOException("Input/output error")).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(of(new IOException("Input/output error"))).hasMessageContaining("Input/output error");
    }
}
