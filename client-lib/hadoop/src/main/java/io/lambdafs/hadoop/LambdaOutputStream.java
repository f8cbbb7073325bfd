package io.lambdafs.hadoop;

import io.lambdafs.client.FileWriter;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;
import org.jspecify.annotations.Nullable;

/**
 * Writes a new file, or appends to one. What is written shows block by block, by {@link #hsync}, and when the stream is closed. A failure breaks the
 * stream: it is told again by each further write and by the end, and a new file that was never synced is removed. Thread-safe.
 */
final class LambdaOutputStream extends OutputStream
        implements Syncable, StreamCapabilities, CanSetDropBehind, IOStatisticsSource {
    private final SharedClients.Use use;
    private final FileWriter writer;
    private final String path;
    private final IOStatisticsStore counts = IOStatisticsBinding.iostatisticsStore()
            .withCounters(StreamStatisticNames.STREAM_WRITE_BYTES, StreamStatisticNames.STREAM_WRITE_EXCEPTIONS)
            .build();
    private @Nullable IOException broken;
    private boolean closed;

    LambdaOutputStream(SharedClients.Use use, FileWriter writer, FsPath path) {
        this.use = use;
        this.writer = writer;
        this.path = path.toString();
        use.opened(this);
    }

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
        checkNotBroken();
        try {
            Failures.run(() -> writer.write(ByteBuffer.wrap(bytes, offset, length)), path);
            counts.incrementCounter(StreamStatisticNames.STREAM_WRITE_BYTES, length);
        } catch (IOException e) {
            counts.incrementCounter(StreamStatisticNames.STREAM_WRITE_EXCEPTIONS);
            broken = e;
            throw e;
        }
    }

    /** {@inheritDoc} What is shown is durable: the same as {@link #hsync}. */
    @Override
    public void hflush() throws IOException {
        hsync();
    }

    /** {@inheritDoc} Ends a block. */
    @Override
    public synchronized void hsync() throws IOException {
        use.checkOpen();
        if (closed) {
            throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
        }
        checkNotBroken();
        try {
            Failures.run(writer::sync, path);
        } catch (IOException e) {
            broken = e;
            throw e;
        }
    }

    /** Does nothing: {@link #hflush} shows what was written. */
    @Override
    public void flush() throws IOException {}

    /** {@inheritDoc} Advice that nothing here can follow. */
    @Override
    public void setDropBehind(@Nullable Boolean drop) throws IOException {
        use.checkOpen();
    }

    @Override
    @SuppressWarnings("deprecation") // Programs still ask for hflush.
    public boolean hasCapability(String capability) {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.DROPBEHIND,
                    StreamCapabilities.IOSTATISTICS,
                    StreamCapabilities.HFLUSH,
                    StreamCapabilities.HSYNC -> true;
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
        if (broken == null) {
            complete();
        } else {
            remove(broken);
            checkNotBroken();
        }
    }

    /** Throws another exception each time, of the same kind: whoever closes what has failed adds this one to the first. */
    private void checkNotBroken() throws IOException {
        if (broken != null) {
            throw Failures.again(broken, path);
        }
    }

    private void complete() throws IOException {
        try {
            Failures.run(writer::complete, path);
        } catch (IOException e) {
            if (isDecided(e)) {
                remove(e);
            }
            throw e;
        }
    }

    /** Whether a failure says that the file has not been completed, and never will be. */
    private static boolean isDecided(IOException e) {
        return e.getCause() instanceof FsException why
                && why.code().disposition() == Disposition.FINAL
                && why.code() != ErrorCode.DEADLINE_EXCEEDED;
    }

    /** Leaves no half-made file behind. */
    private void remove(IOException why) {
        try {
            Failures.run(writer::abandon, path);
        } catch (IOException left) {
            why.addSuppressed(left);
        }
    }
}
