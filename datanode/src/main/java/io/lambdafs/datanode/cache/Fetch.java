package io.lambdafs.datanode.cache;

import io.lambdafs.datanode.block.BlockStore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one object into the cache, from its first byte to its last; others may read the part that has arrived, which
 * reads ahead for them. Thread-safe.
 */
final class Fetch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Fetch.class);
    private static final int PIECE_BYTES = 4 << 20;
    /** A reader at most this far ahead of a fetch that runs waits for it; others read from the store. */
    private static final long NEAR_BYTES = 2L * PIECE_BYTES;

    private static final long WAIT_MILLIS = 5_000;

    private final BlockStore remote;
    private final String key;
    private final BlockCache.Draft draft;
    private final Runnable ended;
    private boolean running;

    Fetch(BlockStore remote, String key, BlockCache.Draft draft, Runnable ended) {
        this.remote = remote;
        this.key = key;
        this.draft = draft;
        this.ended = ended;
    }

    @Override
    public void run() {
        synchronized (this) {
            running = true;
        }
        byte[] piece = new byte[PIECE_BYTES];
        boolean more = true;
        try {
            while (more) {
                int count = remote.read(key, draft.written(), piece, 0, piece.length);
                more = count == piece.length;
                if (count > 0 && !draft.write(piece, 0, count)) {
                    return;
                }
                synchronized (this) {
                    notifyAll();
                }
            }
            draft.commit();
        } catch (RuntimeException e) {
            LOG.info("{} is not copied into the block cache: {}", key, e.getMessage());
        } finally {
            draft.close();
            synchronized (this) {
                running = false;
                notifyAll();
            }
            ended.run();
        }
    }

    /** Reads a range that has arrived or is about to; returns -1 otherwise. */
    int read(long offset, byte[] into, int at, int length) {
        if (offset + length > draft.written() + NEAR_BYTES || !awaits(offset + length)) {
            return -1;
        }
        int count = draft.read(offset, into, at, length);
        return count == length ? count : -1;
    }

    private synchronized boolean awaits(long end) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS);
        try {
            while (running && draft.written() < end) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return draft.written() >= end;
    }
}
