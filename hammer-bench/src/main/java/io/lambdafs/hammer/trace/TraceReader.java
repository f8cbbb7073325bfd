package io.lambdafs.hammer.trace;

import io.lambdafs.model.FsException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads a trace from its first record to its last. Used by one thread at a time. */
public interface TraceReader extends AutoCloseable {
    /**
     * Reads the next record.
     *
     * @return null after the last
     * @throws FsException {@code INVALID_ARGUMENT} naming the file and the line, if a bad line must not be left out
     */
    @Nullable
    TraceRecord next() throws IOException;

    @Override
    void close() throws IOException;
}
