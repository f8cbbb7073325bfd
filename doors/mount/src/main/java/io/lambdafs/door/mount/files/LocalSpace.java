package io.lambdafs.door.mount.files;

import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.ErrnoException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The room on this machine for contents that are written at random: nameless files in a folder, of so many bytes in all,
 * holes included. Thread-safe.
 */
public final class LocalSpace {
    private static final int MOST_MEMORY_BYTES = 64 << 20;

    private final Path folder;
    private final long mostBytes;
    private long bytes;
    private int memoryBytes;

    public LocalSpace(Path folder, long mostBytes) {
        this.folder = folder;
        this.mostBytes = mostBytes;
    }

    /** @throws ErrnoException {@code ENOSPC} if there is not so much */
    synchronized void take(long more) {
        if (more > mostBytes - bytes) {
            throw Errno.ENOSPC.failure();
        }
        bytes += more;
    }

    synchronized void giveBack(long fewer) {
        bytes -= fewer;
    }

    /** Takes memory for contents that are short, if there is so much; false if they have to be in a file. */
    synchronized boolean takeMemory(int more) {
        if (more > MOST_MEMORY_BYTES - memoryBytes) {
            return false;
        }
        memoryBytes += more;
        return true;
    }

    synchronized void giveBackMemory(int fewer) {
        memoryBytes -= fewer;
    }

    /** Returns how many bytes of memory are taken. */
    synchronized int takenMemory() {
        return memoryBytes;
    }

    /** Returns how many bytes are taken. */
    public synchronized long taken() {
        return bytes;
    }

    /** Opens a file without a name, which no other process can open, and which ends with this one. */
    FileChannel open() throws IOException {
        Path file = Files.createTempFile(
                folder,
                "mount-",
                ".part",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        FileChannel opened = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(file);
        return opened;
    }
}
