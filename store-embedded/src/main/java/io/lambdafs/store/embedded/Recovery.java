package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.FileTrouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the log before a database is opened for writing, which discards whatever cannot be replayed. Stateless. */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private Recovery() {}

    /** Fails {@code INTERNAL} if acknowledged writes are missing from the log; changes nothing. */
    static void check(RocksSettings settings, Path directory) throws IOException, RocksDBException {
        Optional<WalWatermark.Position> synced = WalWatermark.read(directory);
        if (synced.isEmpty()) {
            return;
        }
        if (!Files.exists(directory.resolve("CURRENT"))) {
            throw new FsException(
                    ErrorCode.INTERNAL,
                    "the store in " + directory + " is corrupt: its file CURRENT is missing where "
                            + synced.get().sequence()
                            + " changes were acknowledged; nothing was touched; restore a backup");
        }
        long sequence;
        try (RocksHandle handle = RocksHandle.open(settings, directory, true)) {
            sequence = handle.db.getLatestSequenceNumber();
        }
        if (sequence < synced.get().sequence()) {
            throw new FsException(
                    ErrorCode.INTERNAL,
                    "the write-ahead log in " + directory + " is corrupt: it ends at change " + sequence
                            + " where " + synced.get().sequence()
                            + " were acknowledged; nothing was touched; repair the disk or restore a backup");
        }
        LOG.info(
                "Store {} recovers from its log; {} bytes of it, zeros among them, are beyond the last known fsync",
                directory,
                WalFiles.bytesAfter(directory, synced.get()));
    }

    static FsException unopened(Path directory, RocksDBException e) {
        Status.Code code =
                e.getStatus() == null ? Status.Code.Undefined : e.getStatus().getCode();
        String text = String.valueOf(e.getMessage());
        if (code == Status.Code.Corruption
                || code == Status.Code.InvalidArgument
                || text.contains("Corruption")
                || text.contains("No such file")) {
            return new FsException(
                    ErrorCode.INTERNAL,
                    "the store in " + directory + " is corrupt: " + text + "; repair the disk or restore a backup",
                    e);
        }
        if (FileTrouble.isFull(text)) {
            return new FsException(
                    ErrorCode.STORE_FULL, "the store directory " + directory + " is full; free some space there", e);
        }
        return FsException.unavailable("cannot open the store in " + directory + ": " + text, e);
    }
}
