package io.lambdafs.coordinator.zookeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reserves disk space in a folder for when the disk is full: a file of {@value #BYTES} bytes that is deleted then and
 * recreated when there is space. Confined to one thread.
 */
final class DiskReserve {
    static final int BYTES = 8 << 20;
    /** Free space required: enough to restart and to write for a while. */
    static final int NEEDED = 4 << 20;

    private static final Logger log = LoggerFactory.getLogger(DiskReserve.class);
    private static final int BLOCK = 1 << 16;

    private final Path folder;
    private final Path file;

    DiskReserve(Path folder) {
        this.folder = folder;
        this.file = folder.resolve("reserve");
    }

    /** Returns whether the disk has less than the required space; false if unknown. */
    boolean isDiskFull() {
        return usable() < NEEDED;
    }

    private long usable() {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Creates the file if missing and if twice its size is free; returns whether it exists. */
    boolean keep() {
        if (Files.exists(file)) {
            return true;
        }
        if (usable() < 2 * BYTES) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int at = 0; at < BYTES; at += BLOCK) {
                channel.write(ByteBuffer.allocate(BLOCK));
            }
            return true;
        } catch (IOException e) {
            log.warn("No reserve is kept in {}: {}", folder, e.toString());
            giveUp();
            return false;
        }
    }

    /** Removes the file; returns false if there is none. */
    boolean giveUp() {
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            log.warn("The reserve {} cannot be removed: {}", file, e.toString());
            return false;
        }
    }
}
