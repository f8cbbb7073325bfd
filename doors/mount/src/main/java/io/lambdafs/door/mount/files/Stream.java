package io.lambdafs.door.mount.files;

import io.lambdafs.client.FileWriter;
import io.lambdafs.model.FsException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bytes that go straight to the end of a file. After a failure nothing more can be done with it. For one thread at a time. */
final class Stream {
    private static final Logger LOG = LoggerFactory.getLogger(Stream.class);

    private final FileWriter writer;
    private long end;
    private boolean unsynced;

    Stream(FileWriter writer) {
        this.writer = writer;
        this.end = writer.startLength();
    }

    /** Returns the file's length with all that was written. */
    long end() {
        return end;
    }

    /** Returns whether readers cannot see all of it yet. */
    boolean isUnsynced() {
        return unsynced;
    }

    void write(ByteBuffer bytes) throws InterruptedException {
        int count = bytes.remaining();
        orAbandon(() -> writer.write(bytes));
        end += count;
        unsynced = true;
    }

    /** Makes what was written durable, and visible. */
    void sync() throws InterruptedException {
        orAbandon(writer::sync);
        unsynced = false;
    }

    /** Completes the file. */
    void finish() throws InterruptedException {
        orAbandon(writer::complete);
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private void orAbandon(Step step) throws InterruptedException {
        try {
            step.run();
        } catch (FsException e) {
            try {
                writer.abandon();
            } catch (FsException left) {
                LOG.warn("A writer could not be ended: {}", left.toString());
            }
            throw e;
        }
    }
}
