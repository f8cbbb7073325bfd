package io.lambdafs.platform.local.instance;

import java.io.IOException;
import java.util.List;

/** What an instance prints, as a growing sequence of bytes of which the oldest may be gone. Thread-safe. */
public interface InstanceLog {
    /** No log at all. */
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
     * The lines between two positions that are still there. Blocks for the disk.
     *
     * @param maxBytes how much to read at most; the first ones win
     */
    List<String> lines(long from, long to, int maxBytes) throws IOException;
}
