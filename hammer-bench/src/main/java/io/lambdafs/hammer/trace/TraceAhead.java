package io.lambdafs.hammer.trace;

import io.lambdafs.model.FsException;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** Reads a bounded number of a trace's records ahead on its own thread, so that no disk read delays the load. */
final class TraceAhead implements AutoCloseable {
    private static final int MOST = 8_192;

    private final BlockingQueue<TraceRecord> queue = new ArrayBlockingQueue<>(MOST);
    private final Thread thread;
    private volatile boolean ended;
    private volatile @Nullable Exception failure;

    TraceAhead(TraceReader reader) {
        thread = new Thread(() -> read(reader), "trace-reader");
        thread.setDaemon(true);
        thread.start();
    }

    private void read(TraceReader reader) {
        try (reader) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                queue.put(record);
            }
        } catch (IOException | RuntimeException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended = true;
        }
    }

    /** Returns the next record without taking it; null if none has been read yet, or none is left. */
    @Nullable
    TraceRecord peek() {
        return queue.peek();
    }

    void take() {
        queue.remove();
    }

    /**
     * Returns whether all records have been taken.
     *
     * @throws FsException if the trace could not be read to its end
     */
    boolean isAtEnd() {
        if (!ended || !queue.isEmpty()) {
            return false;
        }
        Exception thrown = failure;
        if (thrown != null) {
            throw thrown instanceof FsException typed
                    ? typed
                    : FsException.unavailable("the trace cannot be read to its end: " + thrown, thrown);
        }
        return true;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
