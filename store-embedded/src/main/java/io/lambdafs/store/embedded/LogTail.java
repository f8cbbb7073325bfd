package io.lambdafs.store.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the end of the newest log and keeps it padded with zeros. Syncing a growing file also writes the file system's
 * journal, which takes half as long again, so the log is pre-filled with zeros and overwritten. RocksDB skips them when
 * replaying a log and cuts them off when closing it. A padded log's length does not give its end, which is therefore
 * computed from the writes. Confined to the writing thread.
 */
final class LogTail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);

    private static final int BLOCK = 1 << 15;
    private static final int HEADER = 7;
    private static final int ZEROS = 512 << 10;
    /** Zeros left at which more are added: most groups are smaller. */
    private static final int FEW = 64 << 10;

    /** Allocated once, so that it is available even when memory is short. */
    private static final ByteBuffer BLANK = ByteBuffer.allocateDirect(ZEROS).asReadOnlyBuffer();

    private final Path directory;
    private final boolean padded;
    private long file;
    private long length;
    private long zerosEnd;

    private @Nullable FileChannel channel;

    /** @param padded whether to pad the log with zeros */
    LogTail(Path directory, boolean padded) throws IOException {
        this.directory = directory;
        this.padded = padded;
        find();
    }

    /** Returns the log's end, after the change with a sequence number. */
    WalWatermark.Position end(long sequence) {
        return new WalWatermark.Position(file, length, sequence);
    }

    /** Notes that a batch was written to the log, or to a new log begun by it. */
    void wrote(long bytes, boolean begun) throws IOException {
        if (begun) {
            find();
        } else {
            length = after(length, bytes);
        }
    }

    /** Returns a log's end after a record is appended: records are split into blocks, each part with a header. */
    static long after(long end, long bytes) {
        long at = end;
        long left = bytes;
        do {
            long room = BLOCK - at % BLOCK;
            if (room < HEADER) {
                at += room;
                room = BLOCK;
            }
            long part = Math.min(left, room - HEADER);
            at += HEADER + part;
            left -= part;
        } while (left > 0);
        return at;
    }

    private void find() throws IOException {
        close();
        NavigableMap<Long, Path> all = WalFiles.list(directory);
        if (all.isEmpty()) {
            file = 0;
            length = 0;
            return;
        }
        file = all.lastKey();
        Path newest = all.lastEntry().getValue();
        length = Files.size(newest);
        zerosEnd = length;
        if (padded) {
            channel = FileChannel.open(newest, StandardOpenOption.WRITE);
        }
    }

    /** Pads the log with zeros. Without space for them, the log simply grows. */
    void pad() {
        FileChannel log = channel;
        if (log == null || length + FEW <= zerosEnd) {
            return;
        }
        ByteBuffer zeros = BLANK.duplicate();
        try {
            long from = Math.max(length, zerosEnd);
            if (log.size() != from) {
                throw new IOException("the log ends at " + log.size() + ", not at " + from);
            }
            while (zeros.hasRemaining()) {
                log.write(zeros, from + zeros.position());
            }
            zerosEnd = from + ZEROS;
        } catch (IOException e) {
            LOG.warn("No zeros are kept before the end of log {} any more: {}", file, e.toString());
            close();
        }
    }

    @Override
    public void close() {
        FileChannel log = channel;
        channel = null;
        if (log != null) {
            try {
                log.close();
            } catch (IOException e) {
                LOG.debug("log {} did not close", file, e);
            }
        }
    }
}
