package io.lambdafs.hadoop;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.FileReader;
import io.lambdafs.client.ReadAhead;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.time.Loop;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.jspecify.annotations.Nullable;

/**
 * An input stream over a file as it was at opening. Sequential reads use read-ahead; positioned reads fetch only what
 * they request. Not thread-safe, except positioned reads.
 */
final class LambdaInputStream extends FSInputStream
        implements ByteBufferReadable,
                ByteBufferPositionedReadable,
                CanSetDropBehind,
                CanSetReadahead,
                CanUnbuffer,
                StreamCapabilities,
                IOStatisticsSource {
    private final FileReader reader;
    private final ReadAhead ahead;
    private final String path;
    private final SharedClients.Use use;
    private final FileSystem.@Nullable Statistics statistics;
    private final AtomicLong readOperations = new AtomicLong();
    private final AtomicLong readBytes = new AtomicLong();
    private final AtomicLong seeks = new AtomicLong();
    private final AtomicLong skips = new AtomicLong();
    private final AtomicLong skippedBytes = new AtomicLong();
    private long position;
    private volatile boolean closed;

    LambdaInputStream(
            FileReader reader, FsPath path, SharedClients.Use use, FileSystem.@Nullable Statistics statistics) {
        this.reader = reader;
        this.ahead = new ReadAhead(reader);
        this.path = path.toString();
        this.use = use;
        this.statistics = statistics;
    }

    /** Returns the file's attributes at opening. */
    Attributes attributes() {
        return reader.attributes();
    }

    private long length() {
        return reader.length();
    }

    /** Copies bytes from a position in the file; returns -1 at its end. */
    private int copy(long from, ByteBuffer into, Fetch fetch) throws IOException {
        checkOpen();
        if (!into.hasRemaining()) {
            return 0;
        }
        if (from >= length()) {
            return -1;
        }
        int copied = Failures.call(() -> fetch.into(from, into), path);
        count(copied);
        return copied;
    }

    private void count(int read) {
        readOperations.incrementAndGet();
        readBytes.addAndGet(read);
        if (statistics != null) {
            statistics.incrementBytesRead(read);
        }
    }

    private interface Fetch {
        int into(long from, ByteBuffer into) throws InterruptedException;
    }

    private int fetch(long from, ByteBuffer into) throws InterruptedException {
        ByteBuffer bytes = BlockingLambdaFs.await(reader.read(from, into.remaining()));
        int copied = bytes.remaining();
        into.put(bytes);
        return copied;
    }

    @Override
    public synchronized void seek(long target) throws IOException {
        checkOpen();
        if (target < 0) {
            throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK);
        }
        if (target > length()) {
            throw new EOFException(FSExceptionMessages.CANNOT_SEEK_PAST_EOF);
        }
        seeks.incrementAndGet();
        position = target;
    }

    @Override
    public synchronized long getPos() throws IOException {
        return position;
    }

    @Override
    public boolean seekToNewSource(long target) throws IOException {
        return false;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        return read(ByteBuffer.wrap(buffer, offset, length));
    }

    @Override
    public synchronized int read(ByteBuffer into) throws IOException {
        int read = copy(position, into, ahead::read);
        position += Math.max(read, 0);
        return read;
    }

    @Override
    public int read(long from, byte[] buffer, int offset, int length) throws IOException {
        checkOpen();
        validatePositionedReadArgs(from, buffer, offset, length);
        return copy(from, ByteBuffer.wrap(buffer, offset, length), this::fetch);
    }

    @Override
    public int read(long from, ByteBuffer into) throws IOException {
        checkOpen();
        if (from < 0) {
            throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK);
        }
        return copy(from, into, this::fetch);
    }

    @Override
    public void readFully(long from, ByteBuffer into) throws IOException {
        long next = from;
        while (into.hasRemaining()) {
            int read = read(next, into);
            if (read < 0) {
                throw new EOFException(FSExceptionMessages.EOF_IN_READ_FULLY);
            }
            next += read;
        }
    }

    /** {@inheritDoc} Reads all ranges concurrently; each completes separately. */
    @Override
    public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate) throws IOException {
        checkOpen();
        checkRanges(ranges);
        for (FileRange range : ranges) {
            ByteBuffer into = allocate.apply(range.getLength());
            CompletableFuture<ByteBuffer> data = new CompletableFuture<>();
            range.setData(data);
            long from = range.getOffset() - into.position();
            into.limit(into.position() + range.getLength());
            int start = into.position();
            Loop.whileTrue(() -> fill(from, into)).whenComplete((filled, failure) -> {
                if (failure == null) {
                    count(range.getLength());
                    into.position(start);
                    data.complete(into);
                } else {
                    data.completeExceptionally(Failures.of(FsException.of(failure), path));
                }
            });
        }
    }

    /** Fills a buffer; completes with whether more is wanted. */
    private CompletionStage<Boolean> fill(long from, ByteBuffer into) {
        if (!into.hasRemaining()) {
            return CompletableFuture.completedFuture(false);
        }
        return reader.read(from + into.position(), into.remaining()).thenApply(bytes -> {
            into.put(bytes);
            return into.hasRemaining();
        });
    }

    private void checkRanges(List<? extends FileRange> ranges) throws EOFException {
        List<FileRange> inOrder = new ArrayList<>(ranges);
        inOrder.sort(Comparator.comparingLong(FileRange::getOffset));
        long end = 0;
        for (FileRange each : inOrder) {
            if (each.getLength() < 0) {
                throw new IllegalArgumentException("a range of " + each.getLength() + " bytes");
            }
            if (each.getOffset() < 0 || each.getOffset() > length() - each.getLength()) {
                throw new EOFException(each.getLength() + " bytes at " + each.getOffset() + " are not within the "
                        + length() + " of " + path);
            }
            if (each.getOffset() < end) {
                throw new IllegalArgumentException("ranges overlap at " + each.getOffset());
            }
            end = each.getOffset() + each.getLength();
        }
    }

    @Override
    public synchronized long skip(long bytes) throws IOException {
        checkOpen();
        long skipped = Math.max(0, Math.min(bytes, length() - position));
        skips.incrementAndGet();
        skippedBytes.addAndGet(skipped);
        position += skipped;
        return skipped;
    }

    @Override
    public synchronized int available() throws IOException {
        checkOpen();
        return (int) Math.min(Integer.MAX_VALUE, length() - position);
    }

    /** {@inheritDoc} Ignored. */
    @Override
    public void setReadahead(@Nullable Long bytes) throws IOException {
        checkOpen();
    }

    /** {@inheritDoc} Ignored. */
    @Override
    public void setDropBehind(@Nullable Boolean drop) throws IOException {
        checkOpen();
    }

    @Override
    public synchronized void unbuffer() {
        ahead.drop();
        reader.unbuffer();
    }

    @Override
    public boolean hasCapability(String capability) {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.READBYTEBUFFER,
                    StreamCapabilities.PREADBYTEBUFFER,
                    StreamCapabilities.READAHEAD,
                    StreamCapabilities.VECTOREDIO,
                    StreamCapabilities.DROPBEHIND,
                    StreamCapabilities.UNBUFFER,
                    StreamCapabilities.IOSTATISTICS -> true;
            default -> false;
        };
    }

    /** {@inheritDoc} Live, and made when asked for: most streams are never asked. */
    @Override
    public IOStatistics getIOStatistics() {
        return IOStatisticsBinding.dynamicIOStatistics()
                .withAtomicLongCounter(StreamStatisticNames.STREAM_READ_OPERATIONS, readOperations)
                .withAtomicLongCounter(StreamStatisticNames.STREAM_READ_BYTES, readBytes)
                .withAtomicLongCounter(StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS, seeks)
                .withAtomicLongCounter(StreamStatisticNames.STREAM_READ_SKIP_OPERATIONS, skips)
                .withAtomicLongCounter(StreamStatisticNames.STREAM_READ_SKIP_BYTES, skippedBytes)
                .build();
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
        }
        use.checkOpen();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        reader.close();
        ahead.drop();
    }
}
