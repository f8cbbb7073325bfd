package io.lambdafs.client.block;

import io.lambdafs.client.block.Datanodes.Link;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.rpc.block.Crc32c;
import io.lambdafs.rpc.block.FinishForReceipt;
import io.lambdafs.rpc.block.FinishWrite;
import io.lambdafs.rpc.block.OpenWrite;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.block.WriteFinished;
import io.lambdafs.rpc.block.WriteOpened;
import io.lambdafs.rpc.block.WriteReceipt;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes a block to the first datanode that takes it. Cuts bytes into chunks; the datanode grants how many may be in
 * flight, and as many bytes again may wait here. Thread-safe.
 */
final class DatanodeWriter implements BlockWriter {
    static final int CHUNK_BYTES = 256 << 10;

    private static final int WAITING_BYTES = 1 << 20;
    private static final long OPEN_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long CHUNK_NANOS = Duration.ofMinutes(1).toNanos();
    /** A slow disk or object store may take a while to make 128 MB durable. */
    private static final long FINISH_NANOS = Duration.ofMinutes(2).toNanos();

    private final Datanodes datanodes;
    private final LocatedBlock target;
    private final Deque<Chunk> waiting = new ArrayDeque<>();
    private final CompletableFuture<WrittenBlock> finished = new CompletableFuture<>();

    /** CRC-32C of all bytes cut into chunks. */
    private int whole;

    private byte[] filling = new byte[0];
    private int filled;
    private long taken;
    private long sent;
    private int waitingBytes;
    private int underWay;
    private int windowBytes;
    private long stream;
    private boolean opening;
    private boolean pumping;
    private boolean pumpAgain;
    private boolean finishing;
    private boolean finishSent;
    private boolean over;
    private @Nullable Link link;
    private @Nullable FsException failure;
    private @Nullable CompletableFuture<Void> room;

    @SuppressWarnings("ArrayRecordComponent")
    private record Chunk(byte[] bytes, int crc32c) {}

    DatanodeWriter(Datanodes datanodes, LocatedBlock target) {
        this.datanodes = datanodes;
        this.target = target;
    }

    @Override
    public CompletionStage<Void> write(ByteBuffer bytes) {
        FsException refusal = null;
        CompletableFuture<Void> later = null;
        synchronized (this) {
            if (failure != null) {
                return CompletableFuture.failedFuture(failure);
            }
            if (finishing || taken + bytes.remaining() > target.block().length()) {
                refusal = FsException.invalidArgument(target.block().label() + " takes no more than "
                        + target.block().length() + " bytes");
            } else {
                cut(bytes);
                if (waitingBytes > WAITING_BYTES) {
                    later = new CompletableFuture<>();
                    room = later;
                }
            }
        }
        if (refusal != null) {
            fail(refusal);
            return CompletableFuture.failedFuture(refusal);
        }
        pump();
        return later != null ? later : CompletableFuture.completedFuture(null);
    }

    private void cut(ByteBuffer bytes) {
        taken += bytes.remaining();
        while (bytes.hasRemaining()) {
            if (filled == 0) {
                filling = new byte[CHUNK_BYTES];
            }
            int part = Math.min(filling.length - filled, bytes.remaining());
            bytes.get(filling, filled, part);
            filled += part;
            if (filled == filling.length) {
                endChunk();
            }
        }
    }

    private void endChunk() {
        byte[] chunk = filled == filling.length ? filling : Arrays.copyOf(filling, filled);
        int sum = crc(chunk);
        whole = Crc32c.join(whole, sum, chunk.length);
        waiting.add(new Chunk(chunk, sum));
        waitingBytes += chunk.length;
        filled = 0;
    }

    @Override
    public CompletionStage<WrittenBlock> finish() {
        FsException refusal = null;
        synchronized (this) {
            if (failure != null) {
                return CompletableFuture.failedFuture(failure);
            }
            if (taken == 0) {
                refusal = FsException.invalidArgument(target.block().label() + " has no byte");
            } else if (filled > 0) {
                endChunk();
            }
            finishing = true;
        }
        if (refusal != null) {
            fail(refusal);
        } else {
            pump();
        }
        return finished;
    }

    /**
     * Sends the chunks that may be sent, in order: by one thread at a time, and never by an event loop, whose requests
     * may overtake those of other threads on the connection.
     */
    private void pump() {
        synchronized (this) {
            if (pumping) {
                pumpAgain = true;
                return;
            }
            pumping = true;
        }
        try {
            datanodes.scheduler().execute(this::send);
        } catch (FsException full) {
            fail(full);
        }
    }

    private void send() {
        boolean more = true;
        while (more) {
            for (Runnable send = next(); send != null; send = next()) {
                send.run();
            }
            synchronized (this) {
                more = pumpAgain;
                pumpAgain = false;
                pumping = more;
            }
        }
    }

    private synchronized @Nullable Runnable next() {
        if (over || (waiting.isEmpty() && !(finishing && !finishSent))) {
            return null;
        }
        Link to = link;
        if (to == null) {
            if (opening) {
                return null;
            }
            opening = true;
            return () -> open(0, null);
        }
        Chunk chunk = waiting.peek();
        if (chunk == null) {
            finishSent = true;
            FinishWrite finish = new FinishWrite(stream, taken, whole);
            return () -> finish(to, finish);
        }
        int length = chunk.bytes().length;
        if (underWay + length > windowBytes) {
            return null;
        }
        waiting.remove();
        waitingBytes -= length;
        underWay += length;
        WriteChunk message = new WriteChunk(stream, sent, chunk.bytes(), chunk.crc32c());
        sent += length;
        return () -> to.connection()
                .request(message, CHUNK_NANOS)
                .whenComplete((answer, thrown) -> acknowledged(length, answer, thrown));
    }

    static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** Asks the datanodes one after the other, from the {@code index}-th on, until one takes the block. */
    private void open(int index, @Nullable FsException last) {
        if (index >= target.datanodes().size()) {
            fail(Datanodes.noneServes("write " + target.block().label(), target.store(), last));
            return;
        }
        datanodes.take(target.datanodes().get(index)).whenComplete((taken, thrown) -> {
            if (thrown != null) {
                open(index + 1, FsException.of(thrown));
            } else {
                taken.connection()
                        .request(new OpenWrite(target.token()), OPEN_NANOS)
                        .whenComplete((answer, lost) -> opened(taken, index, answer, lost));
            }
        });
    }

    private void opened(Link at, int index, @Nullable Message answer, @Nullable Throwable thrown) {
        FsException why = Datanodes.failure(answer, thrown);
        if (why != null) {
            at.connection().close();
            if (!Datanodes.mayGoElsewhere(why.code())) {
                fail(why);
            } else {
                open(at.reused() ? index : index + 1, why);
            }
        } else if (answer instanceof WriteOpened opened) {
            boolean late;
            synchronized (this) {
                late = over;
                link = at;
                stream = opened.stream();
                windowBytes = opened.windowBytes();
            }
            if (late) {
                at.connection().close();
            }
            pump();
        } else {
            fail(unexpected(answer));
        }
    }

    private static FsException unexpected(@Nullable Message answer) {
        return new FsException(ErrorCode.INTERNAL, "not an answer of a datanode: " + answer);
    }

    private void acknowledged(int bytes, @Nullable Message answer, @Nullable Throwable thrown) {
        FsException why = Datanodes.failure(answer, thrown);
        if (why != null) {
            fail(why);
            return;
        }
        CompletableFuture<Void> free = null;
        synchronized (this) {
            underWay -= bytes;
        }
        pump();
        synchronized (this) {
            if (waitingBytes <= WAITING_BYTES) {
                free = room;
                room = null;
            }
        }
        if (free != null) {
            free.complete(null);
        }
    }

    private void finish(Link to, FinishWrite finish) {
        FinishForReceipt first = new FinishForReceipt(finish.stream(), finish.length(), finish.crc32c());
        to.connection().request(first, FINISH_NANOS).whenComplete((answer, thrown) -> {
            if (answer instanceof Failed failed && failed.code() == ErrorCode.BAD_FRAME) {
                // A datanode of an earlier version, which gives no receipts.
                to.connection().request(finish, FINISH_NANOS).whenComplete(this::finished);
            } else {
                finished(answer, thrown);
            }
        });
    }

    private static @Nullable WrittenBlock written(@Nullable Message answer) {
        if (answer instanceof WriteFinished done) {
            return new WrittenBlock(done.block(), BlockOperation.NO_RECEIPT);
        }
        return answer instanceof WriteReceipt done ? new WrittenBlock(done.block(), done.receipt()) : null;
    }

    private void finished(@Nullable Message answer, @Nullable Throwable thrown) {
        WrittenBlock written = written(answer);
        FsException why = Datanodes.failure(answer, thrown);
        Block expected;
        Link at;
        synchronized (this) {
            Block block = target.block();
            expected = new Block(block.id(), block.generation(), taken, whole);
            at = link;
        }
        if (why != null) {
            fail(why);
        } else if (written != null && written.block().equals(expected)) {
            synchronized (this) {
                over = true;
            }
            if (at != null) {
                datanodes.giveBack(at);
            }
            finished.complete(written);
        } else {
            fail(unexpected(answer));
        }
    }

    @Override
    public void abort() {
        fail(new FsException(ErrorCode.INTERRUPTED, target.block().label() + " has been given up"));
    }

    private void fail(FsException why) {
        Link at;
        CompletableFuture<Void> waits;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            failure = why;
            at = link;
            waits = room;
            room = null;
            waiting.clear();
        }
        if (at != null) {
            // The datanode drops everything that the connection has opened.
            at.connection().close();
        }
        if (waits != null) {
            waits.completeExceptionally(why);
        }
        finished.completeExceptionally(why);
    }
}
