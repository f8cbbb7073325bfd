package io.lambdafs.model.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes the names in a directory durable. Stateless. */
public final class DirectorySync {
    private DirectorySync() {}

    /** Syncs a directory: files created, renamed or removed in it stay so after a crash. Blocks. */
    public static void sync(Path directory) throws IOException {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
