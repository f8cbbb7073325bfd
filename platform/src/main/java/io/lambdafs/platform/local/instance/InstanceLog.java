package io.lambdafs.platform.local.instance;

import java.io.IOException;
import java.util.List;

/** The output of an instance: a growing sequence of bytes whose oldest may be gone. Thread-safe. */
public interface InstanceLog {
    /** A log that is always empty. */
    InstanceLog NONE = new InstanceLog() {
        @Override
        public long position() {
            return 0;
        }

        @Override
        public List<String> lines(long from, long to, int maxBytes) {
            return List.of();
        }
    };

    /** Returns how many bytes have been written so far. */
    long position();

    /**
     * Returns the remaining lines between two positions. Blocks for the disk.
     *
     * @param maxBytes maximum number of bytes to read, from the first on
     */
    List<String> lines(long from, long to, int maxBytes) throws IOException;
}
