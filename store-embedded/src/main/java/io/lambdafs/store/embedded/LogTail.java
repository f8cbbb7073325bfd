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
 * Where the newest log ends, and zeros behind that end. To sync a file that grows, the file system writes its journal too, which takes
 * half as long again; so the log is written over zeros. RocksDB passes over them when it replays a log, and cuts them off when it closes
 * one. With them a log's length does not say where it ends: that is reckoned from what was written. Confined to the thread that writes.
 */
final class LogTail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);

    private static final int BLOCK = 1 << 15;
    private static final int HEADER = 7;
    private static final int ZEROS = 512 << 10;
    /** When fewer zeros are left, more come: most groups are smaller. */
    private static final int FEW = 64 << 10;

    /** Made once: when memory is short is no time to ask for more. */
    private static final ByteBuffer BLANK = ByteBuffer.allocateDirect(ZEROS).asReadOnlyBuffer();

    private final Path directory;
    private final boolean padded;
    private long file;
    private long length;
    private long zerosEnd;

    private @Nullable FileChannel channel;

    /** @param padded whether zeros are to be written behind the end */
    LogTail(Path directory, boolean padded) throws IOException {
        this.directory = directory;
        this.padded = padded;
        find();
    }

    /** The end, after the change with that number. */
    WalWatermark.Position end(long sequence) {
        return new WalWatermark.Position(file, length, sequence);
    }

    /** The log has taken a batch, or a new log that it has begun. */
    void wrote(long bytes, boolean begun) throws IOException {
        if (begun) {
            find();
        } else {
            length = after(length, bytes);
        }
    }

    /** Where a log ends that ended at a place before it took a record: in blocks, each part of a record with a header. */
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

    /** Keeps zeros behind the end. Where there is no room for them, the log grows as it must. */
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
