package io.lambdafs.store.embedded;

import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.model.disk.PrivateFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An exclusive lock on a store's directory, across processes. The kernel releases it when the process dies. */
final class DirectoryLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);
    private static final String FILE = "store.lock";
    /**
     * Directories locked by this process. POSIX locks belong to a process, and closing any descriptor of the file drops
     * them, so this set is checked first.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** Locks a directory, creating it if needed; fails {@code UNAVAILABLE}. */
    static DirectoryLock of(Path wanted) {
        Path directory = wanted;
        try {
            PrivateFolder.make(wanted).ifPresent(why -> LOG.warn("{}", why));
            directory = wanted.toRealPath();
            if (!HELD.add(directory)) {
                throw inUse(directory);
            }
            FileChannel channel =
                    FileChannel.open(directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                HELD.remove(directory);
                throw inUse(directory);
            }
            return new DirectoryLock(directory, channel);
        } catch (IOException e) {
            HELD.remove(directory);
            throw FileTrouble.of("cannot use the store directory " + wanted, e);
        }
    }

    private static FsException inUse(Path directory) {
        return FsException.unavailable(
                "another process uses the store directory " + directory + "; stop it, or name another directory");
    }

    Path directory() {
        return directory;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            HELD.remove(directory);
        }
    }
}
