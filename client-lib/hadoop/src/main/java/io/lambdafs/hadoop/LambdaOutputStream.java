package io.lambdafs.hadoop;

import io.lambdafs.client.FileWriter;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.jspecify.annotations.Nullable;

/**
 * An output stream to a new file, or appending to one. Written data becomes visible block by block, on {@link #hsync},
 * and on close. A failure breaks the stream: further writes and close report it again, and a new file that was never
 * synced is removed. Thread-safe.
 */
final class LambdaOutputStream extends OutputStream
        implements Syncable, StreamCapabilities, CanSetDropBehind, IOStatisticsSource {
    private final SharedClients.Use use;
    private final FileWriter writer;
    private final String path;
    private final AtomicLong writtenBytes = new AtomicLong();
    private final AtomicLong writeExceptions = new AtomicLong();
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
        // First, because the file system closes its streams.
        use.checkOpen();
        if (closed) {
            throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
        }
        checkNotBroken();
        try {
            Failures.run(() -> writer.write(ByteBuffer.wrap(bytes, offset, length)), path);
            writtenBytes.addAndGet(length);
        } catch (IOException e) {
            writeExceptions.incrementAndGet();
            broken = e;
            throw e;
        }
    }

    /** {@inheritDoc} Same as {@link #hsync}, because visible data is always durable. */
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

    /** Does nothing: {@link #hflush} makes data visible. */
    @Override
    public void flush() throws IOException {}

    /** {@inheritDoc} Ignored. */
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

    /** {@inheritDoc} Live, and made when asked for: most streams are never asked. */
    @Override
    public IOStatistics getIOStatistics() {
        return IOStatisticsBinding.dynamicIOStatistics()
                .withAtomicLongCounter(StreamStatisticNames.STREAM_WRITE_BYTES, writtenBytes)
                .withAtomicLongCounter(StreamStatisticNames.STREAM_WRITE_EXCEPTIONS, writeExceptions)
                .build();
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

    /**
     * Throws a new exception of the same kind each time, because callers that close a failed stream add it to the first
     * as suppressed.
     */
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

    /** Returns whether a failure means that the file was not, and will never be, completed. */
    private static boolean isDecided(IOException e) {
        return e.getCause() instanceof FsException why
                && why.code().disposition() == Disposition.FINAL
                && why.code() != ErrorCode.DEADLINE_EXCEEDED;
    }

    /** Removes a partially written file. */
    private void remove(IOException why) {
        try {
            Failures.run(writer::abandon, path);
        } catch (IOException left) {
            why.addSuppressed(left);
        }
    }
}
