package io.lambdafs.hadoop;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;
import org.jspecify.annotations.Nullable;

/**
 * What all output streams of the file system have in common: what is counted, a failure that is told again, what is refused once the
 * stream or its file system is closed. Thread-safe.
 */
abstract class LambdaOutputStream extends OutputStream
        implements StreamCapabilities, CanSetDropBehind, IOStatisticsSource {
    private final SharedClients.Use use;
    private final IOStatisticsStore counts = IOStatisticsBinding.iostatisticsStore()
            .withCounters(StreamStatisticNames.STREAM_WRITE_BYTES, StreamStatisticNames.STREAM_WRITE_EXCEPTIONS)
            .build();
    private @Nullable IOException broken;
    private boolean closed;

    LambdaOutputStream(SharedClients.Use use) {
        this.use = use;
        use.opened(this);
    }

    /** Takes bytes. A failure breaks the stream: it is told again by each further write, and by the end. */
    abstract void append(byte[] bytes, int offset, int length) throws IOException;

    /**
     * Ends the file, once.
     *
     * @param failure what broke the stream; null if nothing did. It is thrown afterwards
     */
    abstract void finish(@Nullable IOException failure) throws IOException;

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        // First, for the file system closes its streams.
        use.checkOpen();
        if (closed) {
            throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
        }
        if (broken != null) {
            throw broken;
        }
        try {
            append(bytes, offset, length);
            counts.incrementCounter(StreamStatisticNames.STREAM_WRITE_BYTES, length);
        } catch (IOException e) {
            counts.incrementCounter(StreamStatisticNames.STREAM_WRITE_EXCEPTIONS);
            broken = e;
            throw e;
        }
    }

    /** Does nothing: content becomes visible when the file is closed. */
    @Override
    public void flush() throws IOException {}

    /** {@inheritDoc} Advice that nothing here can follow. */
    @Override
    public void setDropBehind(@Nullable Boolean drop) throws IOException {
        use.checkOpen();
    }

    @Override
    public boolean hasCapability(String capability) {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.DROPBEHIND, StreamCapabilities.IOSTATISTICS -> true;
            default -> false;
        };
    }

    @Override
    public IOStatistics getIOStatistics() {
        return counts;
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        use.closed(this);
        finish(broken);
        if (broken != null) {
            throw broken;
        }
    }
}
