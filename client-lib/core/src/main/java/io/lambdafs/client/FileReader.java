package io.lambdafs.client;

import io.lambdafs.client.block.BlockReader;
import io.lambdafs.client.block.Received;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file's content, inline or in blocks. The length is that at opening. A range whose datanode is lost is read
 * from another; if none answers it is retried until the client's deadline.
 *
 * <p>Thread-safe: several ranges may be read concurrently.
 */
public final class FileReader implements AutoCloseable {
    /** Maximum bytes per {@link #read}. */
    public static final int MAX_LENGTH = BlockReader.MAX_LENGTH;

    /** Maximum number of block readers kept open with their connections. */
    private static final int OPEN_BLOCKS = 4;

    private final LambdaFs fs;
    private final FsPath path;
    private final Attributes attributes;
    private final byte @Nullable [] inline;
    /** Blocks by offset; guarded by this, as are the readers. */
    private final NavigableMap<Long, LocatedBlock> located = new TreeMap<>();

    private final Map<Long, BlockReader> readers = new LinkedHashMap<>(8, 0.75f, true);
    private boolean closed;

    FileReader(LambdaFs fs, FsPath path, Reply.Opened opened) {
        this.fs = fs;
        this.path = path;
        this.attributes = opened.attributes();
        // A file under append stays inline until its first block has been written.
        this.inline =
                attributes.content().isInBlocks() && opened.content() == null ? null : LambdaFs.content(path, opened);
        take(opened);
    }

    /** Returns the file's attributes at opening. */
    public Attributes attributes() {
        return attributes;
    }

    /** Returns the file's length at opening, in bytes. */
    public long length() {
        return attributes.size();
    }

    /**
     * Reads bytes: at least one, and at most {@value #MAX_LENGTH}; fewer than requested at the end of a block.
     *
     * @param from 0 or more, and less than the length
     * @param length 1 or more
     */
    public CompletionStage<ByteBuffer> read(long from, int length) {
        FsException refusal = refusal(from, length);
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        if (inline != null) {
            return CompletableFuture.completedFuture(part(inline, from, length));
        }
        return new Range<>(from, length, BlockReader::read).read();
    }

    private static ByteBuffer part(byte[] inline, long from, int length) {
        return ByteBuffer.wrap(inline, (int) from, (int) Math.min(length, inline.length - from))
                .slice();
    }

    /** Like {@link #read}, but the receiver checks the bytes: see {@link BlockReader#receive}. */
    CompletionStage<Received> receive(long from, int length, IntFunction<ByteBuffer> buffers) {
        if (inline != null || refusal(from, length) != null) {
            return read(from, length).thenApply(Received::checked);
        }
        return new Range<>(
                        from,
                        length,
                        (reader, offset, part) -> reader.receive(offset, part, buffers)
                                .thenApply(received -> received.or(() -> read(from, part))))
                .read();
    }

    private @Nullable FsException refusal(long from, int length) {
        return from < 0 || length < 1 || from >= length()
                ? FsException.invalidArgument(
                        "\"" + path + "\" has no " + length + " bytes at " + from + ": its length is " + length())
                : null;
    }

    /**
     * Returns the number of bytes that {@link #read} gives; 0 while it is unknown because the block has not been
     * located.
     */
    int part(long from, int length) {
        if (inline != null) {
            return (int) Math.min(length, inline.length - from);
        }
        LocatedBlock block = block(from);
        return block == null ? 0 : part(block, from, length);
    }

    private static int part(LocatedBlock block, long from, int length) {
        return (int) Math.min(
                Math.min(length, MAX_LENGTH), block.offset() + block.block().length() - from);
    }

    /** Releases connections until the next read. Reads in progress go on. */
    public void unbuffer() {
        List<BlockReader> open;
        synchronized (this) {
            open = new ArrayList<>(readers.values());
            readers.clear();
        }
        open.forEach(BlockReader::close);
    }

    /** Releases connections for good. Reads in progress go on or fail. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        unbuffer();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void take(Reply.Opened opened) {
        for (LocatedBlock block : opened.blocks()) {
            located.put(block.offset(), block);
        }
    }

    private synchronized @Nullable LocatedBlock block(long at) {
        Map.Entry<Long, LocatedBlock> entry = located.floorEntry(at);
        return entry != null && at < entry.getKey() + entry.getValue().block().length() ? entry.getValue() : null;
    }

    private BlockReader reader(LocatedBlock block) {
        BlockReader reader;
        BlockReader oldest = null;
        synchronized (this) {
            if (closed) {
                throw new FsException(ErrorCode.INTERRUPTED, "the reader of \"" + path + "\" is closed");
            }
            reader = readers.computeIfAbsent(
                    block.offset(), missing -> fs.blocks().read(block));
            if (readers.size() > OPEN_BLOCKS) {
                oldest = readers.remove(readers.keySet().iterator().next());
            }
        }
        if (oldest != null) {
            oldest.close();
        }
        return reader;
    }

    /** Forgets a block's location because its token has expired or its datanodes are lost. */
    private void forget(LocatedBlock block) {
        BlockReader reader = null;
        synchronized (this) {
            if (located.remove(block.offset(), block)) {
                reader = readers.remove(block.offset());
            }
        }
        if (reader != null) {
            reader.close();
        }
    }

    /** A way to read a range of a block. */
    private interface Way<T> {
        CompletionStage<T> read(BlockReader reader, long offset, int length);
    }

    /** A range being read. */
    private final class Range<T> {
        private final long from;
        private final int length;
        private final Patience patience = fs.patience(path);
        private final Way<T> way;

        Range(long from, int length, Way<T> way) {
            this.from = from;
            this.length = length;
            this.way = way;
        }

        CompletionStage<T> read() {
            LocatedBlock block = block(from);
            return block == null ? locate() : readOf(block);
        }

        private CompletionStage<T> locate() {
            return fs.execute(new ReadOperation.Open(path, from)).thenCompose(opened -> {
                if (opened.attributes().id() != attributes.id()) {
                    throw new FsException(
                            ErrorCode.NOT_FOUND,
                            "\"" + path + "\" was replaced by another file while it was being read");
                }
                take(opened);
                LocatedBlock block = block(from);
                if (block == null) {
                    throw new FsException(
                            ErrorCode.NOT_FOUND,
                            "\"" + path + "\" was cut to " + opened.attributes().size()
                                    + " bytes while it was being read");
                }
                return readOf(block);
            });
        }

        private CompletionStage<T> readOf(LocatedBlock block) {
            CompletionStage<T> answer;
            try {
                answer = way.read(reader(block), from - block.offset(), part(block, from, length));
            } catch (FsException e) {
                return CompletableFuture.failedFuture(e);
            }
            return answer.exceptionallyCompose(thrown -> {
                FsException why = FsException.of(thrown);
                if (why.code() == ErrorCode.INTERRUPTED && !isClosed()) {
                    // Others have read so many blocks that this one's reader was closed before its first request.
                    return read();
                }
                if (!isPassing(why.code())) {
                    return CompletableFuture.failedFuture(LambdaFs.named(path, why));
                }
                forget(block);
                return patience.later(why).thenCompose(later -> locate());
            });
        }
    }

    private static boolean isPassing(ErrorCode code) {
        return switch (code) {
            case UNAVAILABLE, CONNECTION_LOST, TIMED_OUT, OVERLOADED, TOKEN_EXPIRED -> true;
            default -> false;
        };
    }
}
