package io.lambdafs.client.block;

import io.lambdafs.client.block.Datanodes.Link;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.rpc.block.BlockBytes;
import io.lambdafs.rpc.block.BlockPieces;
import io.lambdafs.rpc.block.ReadBlock;
import io.lambdafs.rpc.block.ReadPieces;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads a block from one datanode, and from the next one when that fails. Requests a range in chunks, several at once.
 * Thread-safe.
 */
final class DatanodeReader implements BlockReader {
    private static final int CHUNK_BYTES = 256 << 10;
    /** Larger chunks, because a datanode that sends from a file needs no memory for them. */
    private static final int FILE_CHUNK_BYTES = 4 * CHUNK_BYTES;

    private static final int CHUNKS_AT_ONCE = 8;
    private static final long CHUNK_NANOS = Duration.ofSeconds(20).toNanos();
    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private final Datanodes datanodes;
    private final LocatedBlock source;
    /** Each datanode may fail twice: a kept connection may have ended meanwhile. */
    private final int mostAttempts;

    private int current;
    /** True after meeting a datanode of an earlier version, which supports only one way to read. */
    private volatile boolean isOld;

    /** True if, by its last answer, the datanode has the block in a file. */
    private volatile boolean isInFile;

    private boolean closed;
    private @Nullable Use use;

    /** A connection and its requests in progress; guarded by the reader. */
    private static final class Use {
        final CompletionStage<Link> link;
        int underWay;
        /** True if it takes no more requests because it has failed, not because it is no longer needed. */
        boolean failed;

        Use(CompletionStage<Link> link) {
            this.link = link;
        }
    }

    DatanodeReader(Datanodes datanodes, LocatedBlock source) {
        this.datanodes = datanodes;
        this.source = source;
        mostAttempts = 2 * source.datanodes().size();
    }

    @Override
    public CompletionStage<ByteBuffer> read(long offset, int length) {
        return range(offset, length, ByteBuffer::allocate, false)
                .thenCompose(received -> received.check().get());
    }

    @Override
    public CompletionStage<Received> receive(long offset, int length, IntFunction<ByteBuffer> buffers) {
        return range(offset, length, buffers, true);
    }

    private CompletionStage<Received> range(
            long offset, int length, IntFunction<ByteBuffer> buffers, boolean checkedLater) {
        FsException refusal = BlockReader.refusal(source.block(), offset, length);
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        if (mostAttempts == 0) {
            return CompletableFuture.failedFuture(Datanodes.noneServes(what(), source.store(), null));
        }
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(new FsException(
                        ErrorCode.INTERRUPTED, "the reader of " + source.block().label() + " is closed"));
            }
        }
        Range range = new Range(offset, length, buffers, checkedLater);
        range.fill();
        return range.result;
    }

    private String what() {
        return "read " + source.block().label();
    }

    /** A range being read. */
    private final class Range {
        final CompletableFuture<Received> result = new CompletableFuture<>();
        private final boolean checkedLater;
        /** Pieces still to be checked; guarded by the range. */
        private final List<Pieces> unchecked = new ArrayList<>();

        private final long offset;
        private final IntFunction<ByteBuffer> buffers;
        private @Nullable ByteBuffer bytes;
        private final int length;
        private int asked;
        private int missing;
        /** True if an abandoned answer may still arrive and be put into the buffer. */
        private boolean givenUp;

        Range(long offset, int length, IntFunction<ByteBuffer> buffers, boolean checkedLater) {
            this.checkedLater = checkedLater;
            this.offset = offset;
            this.length = length;
            this.buffers = buffers;
            missing = length;
            if (!checkedLater) {
                // Allocates the buffer now: fails here if memory is short.
                bytes();
            }
        }

        /** Returns the buffer for the bytes, created for the first ones. */
        private synchronized ByteBuffer bytes() {
            ByteBuffer known = bytes;
            if (known == null) {
                known = buffers.apply(length).limit(length);
                bytes = known;
            }
            return known;
        }

        void fill() {
            for (int i = 0; i < CHUNKS_AT_ONCE; i++) {
                askNext();
            }
        }

        private void askNext() {
            Chunk next = cut();
            if (next != null) {
                ask(next, 1);
            }
        }

        private synchronized @Nullable Chunk cut() {
            if (asked == length || result.isDone()) {
                return null;
            }
            int at = asked;
            // Chunks end where the datanode's checksums do.
            int over = (int) ((offset + at) % CHUNK_BYTES);
            int left = length - at;
            int part = isInFile && over == 0 && left >= CHUNK_BYTES
                    ? Math.min(FILE_CHUNK_BYTES, left - left % CHUNK_BYTES)
                    : Math.min(left, CHUNK_BYTES - over);
            asked += part;
            return new Chunk(this, at, part);
        }

        private synchronized CompletionStage<ByteBuffer> check() {
            return unchecked.stream().allMatch(Pieces::areWhole)
                    ? CompletableFuture.completedFuture(bytes())
                    : read(offset, length);
        }

        /** Returns whether the arrived pieces are those of the chunk, as far as they are checked now. */
        boolean take(Chunk chunk, Pieces pieces) {
            if (!checkedLater && !pieces.areWhole()) {
                return false;
            }
            if (checkedLater) {
                synchronized (this) {
                    unchecked.add(pieces);
                }
            }
            taken(chunk);
            return true;
        }

        void take(Chunk chunk, byte[] content) {
            bytes().put(chunk.at(), content);
            taken(chunk);
        }

        /** Stops waiting for an answer. */
        synchronized void giveUp() {
            givenUp = true;
        }

        /**
         * Once an answer has been abandoned the buffer is not used again: its bytes are read anew, and checked on
         * arrival.
         */
        private synchronized Received received() {
            return givenUp && checkedLater
                    ? new Received(ByteBuffer.allocate(0), () -> read(offset, length))
                    : new Received(bytes(), this::check);
        }

        void taken(Chunk chunk) {
            boolean whole;
            synchronized (this) {
                missing -= chunk.length();
                whole = missing == 0;
            }
            if (whole) {
                result.complete(received());
            } else {
                askNext();
            }
        }
    }

    private record Chunk(Range range, int at, int length) {
        long offset() {
            return range.offset + at;
        }
    }

    /**
     * Pieces that the datanode only passes on are checked here. If they differ from the written ones, or a part has no
     * seal, the datanode checks them.
     */
    private void ask(Chunk chunk, int attempt) {
        ask(chunk, attempt, !isOld && Seal.isWhole(source.block(), chunk.offset(), chunk.length()));
    }

    private void ask(Chunk chunk, int attempt, boolean inPieces) {
        Use on;
        int index;
        synchronized (this) {
            index = current;
            on = use;
            if (on == null) {
                on = new Use(datanodes.take(source.datanodes().get(index)));
                use = on;
            }
            on.underWay++;
        }
        Use used = on;
        if (inPieces) {
            askForPieces(chunk, attempt, used);
            return;
        }
        ReadBlock message = new ReadBlock(source.token(), chunk.offset(), chunk.length());
        used.link
                .thenCompose(at -> at.connection().request(message, CHUNK_NANOS))
                .whenComplete(
                        (answer, thrown) -> answered(chunk, attempt, used, failure(chunk, answer, thrown), answer));
    }

    private void askForPieces(Chunk chunk, int attempt, Use used) {
        ReadPieces message = new ReadPieces(source.token(), chunk.offset(), chunk.length());
        Pieces pieces = new Pieces(
                chunk.offset(), chunk.length(), () -> chunk.range().bytes().slice(chunk.at(), chunk.length()));
        used.link
                .thenCompose(at -> at.connection().request(message, pieces, CHUNK_NANOS))
                .whenComplete((answer, thrown) -> {
                    isInFile = answer instanceof BlockPieces;
                    if (answer instanceof BlockPieces && chunk.range().take(chunk, pieces)) {
                        over(used);
                    } else if (answer instanceof BlockPieces) {
                        // The datanode that sent them should check them itself, and drop a bad copy.
                        broken(used, false);
                        ask(chunk, attempt + 1, false);
                    } else if (answer instanceof Failed failed && failed.code() == ErrorCode.BAD_FRAME) {
                        isOld = true;
                        over(used);
                        ask(chunk, attempt, false);
                    } else {
                        if (thrown != null) {
                            chunk.range().giveUp();
                        }
                        answered(chunk, attempt, used, failure(chunk, answer, thrown), answer);
                    }
                });
    }

    private void answered(Chunk chunk, int attempt, Use used, @Nullable FsException why, @Nullable Message answer) {
        if (why != null && Datanodes.mayGoElsewhere(why.code())) {
            broken(used, true);
        } else {
            over(used);
        }
        if (why == null && answer instanceof BlockBytes content) {
            chunk.range().take(chunk, content.bytes());
        } else if (why != null) {
            failed(chunk, attempt, why);
        }
    }

    /** Handles the last answer that its connection may give; other requests in progress there may still succeed. */
    private void broken(Use used, boolean elsewhere) {
        synchronized (this) {
            used.failed = true;
            if (use == used) {
                use = null;
                current = elsewhere ? (current + 1) % source.datanodes().size() : current;
            }
        }
        over(used);
    }

    /** Handles an answer. */
    private void over(Use used) {
        boolean unused;
        synchronized (this) {
            used.underWay--;
            unused = used.underWay == 0 && (closed || used.failed);
            if (unused && use == used) {
                use = null;
            }
        }
        if (unused) {
            leave(used);
        }
    }

    private void leave(Use used) {
        used.link.thenAccept(at -> {
            if (used.failed) {
                at.connection().close();
            } else {
                datanodes.giveBack(at);
            }
        });
    }

    private static @Nullable FsException failure(Chunk asked, @Nullable Message answer, @Nullable Throwable thrown) {
        FsException why = Datanodes.failure(answer, thrown);
        if (why != null) {
            return why;
        }
        if (!(answer instanceof BlockBytes content)
                || content.offset() != asked.offset()
                || content.bytes().length != asked.length()) {
            return new FsException(
                    ErrorCode.INTERNAL,
                    "not the " + asked.length() + " bytes at " + asked.offset() + ", but " + answer);
        }
        if (DatanodeWriter.crc(content.bytes()) != content.crc32c()) {
            return new FsException(
                    ErrorCode.BLOCK_CORRUPT,
                    "the bytes from " + asked.offset() + " on were changed on their way from the datanode");
        }
        return null;
    }

    private void failed(Chunk chunk, int attempt, FsException why) {
        if (!Datanodes.mayGoElsewhere(why.code())) {
            chunk.range().result.completeExceptionally(why);
        } else if (attempt >= mostAttempts) {
            chunk.range().result.completeExceptionally(Datanodes.noneServes(what(), source.store(), why));
        } else if (why.code() == ErrorCode.OVERLOADED) {
            pause(chunk, attempt);
        } else {
            ask(chunk, attempt + 1);
        }
    }

    private void pause(Chunk chunk, int attempt) {
        try {
            datanodes.scheduler().schedule(PAUSE_NANOS * attempt, () -> ask(chunk, attempt + 1));
        } catch (FsException stopping) {
            chunk.range().result.completeExceptionally(stopping);
        }
    }

    @Override
    public void close() {
        Use unused = null;
        synchronized (this) {
            closed = true;
            if (use != null && use.underWay == 0) {
                unused = use;
                use = null;
            }
        }
        if (unused != null) {
            leave(unused);
        }
    }
}
