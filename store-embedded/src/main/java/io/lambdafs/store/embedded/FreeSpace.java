package io.lambdafs.store.embedded;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks whether a directory's file system is short of space. Confined to one thread. */
final class FreeSpace {
    private static final Logger LOG = LoggerFactory.getLogger(FreeSpace.class);

    private final Path directory;
    private final FileStore files;
    private final long minFreeBytes;
    private boolean wasShort;

    FreeSpace(Path directory, long minFreeBytes) throws IOException {
        this(directory, Files.getFileStore(directory), minFreeBytes);
    }

    FreeSpace(Path directory, FileStore files, long minFreeBytes) {
        this.directory = directory;
        this.files = files;
        this.minFreeBytes = minFreeBytes;
    }

    long minFreeBytes() {
        return minFreeBytes;
    }

    /**
     * Returns whether space is short, by a system call of about a microsecond; false if unknown, and the write will
     * find out.
     */
    boolean isShort() {
        boolean isShort = minFreeBytes > 0 && usable() < minFreeBytes;
        if (isShort && !wasShort) {
            LOG.warn("Store {} is full: less than {} bytes are free, commits are refused", directory, minFreeBytes);
        } else if (wasShort && !isShort) {
            LOG.info("Store {} has room again", directory);
        }
        wasShort = isShort;
        return isShort;
    }

    private long usable() {
        try {
            return files.getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }
}
