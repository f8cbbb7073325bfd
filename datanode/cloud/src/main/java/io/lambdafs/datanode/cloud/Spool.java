package io.lambdafs.datanode.cloud;

import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.PrivateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process's folder for objects being written. Thread-safe. */
final class Spool {
    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);

    private final Path folder;
    private final AtomicLong last = new AtomicLong();

    private Spool(Path folder) {
        this.folder = folder;
    }

    /**
     * Creates the folder if it does not exist, and empties it.
     *
     * @throws FsException {@code UNAVAILABLE}: the folder cannot be used
     */
    static Spool open(Path folder) {
        try {
            PrivateFolder.make(folder).ifPresent(why -> LOG.warn("{}", why));
            try (Stream<Path> left = Files.list(folder)) {
                for (Path file : left.toList()) {
                    Files.deleteIfExists(file);
                }
            }
            return new Spool(folder);
        } catch (IOException e) {
            throw FsException.unavailable(
                    "cannot use the folder " + folder + " for uploads: " + e + "; check its owner", e);
        }
    }

    Path next() {
        return folder.resolve(Long.toString(last.incrementAndGet()));
    }
}
