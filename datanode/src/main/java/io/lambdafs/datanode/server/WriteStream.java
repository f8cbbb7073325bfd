package io.lambdafs.datanode.server;

import io.lambdafs.datanode.block.BlockSink;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.block.FinishForReceipt;
import io.lambdafs.rpc.block.FinishWrite;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.block.WriteFinished;
import io.lambdafs.rpc.block.WriteReceipt;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A block being written. Its steps run on the pool, one after the other in order of arrival; pending chunks are within
 * the window. Once a step has failed, all later ones do. Thread-safe.
 */
final class WriteStream {
    private static final Logger LOG = LoggerFactory.getLogger(WriteStream.class);

    private final Block block;
    private final BlockToken token;
    private final int windowBytes;
    private final Context context;
    private final BlockSink sink;

    private final Deque<Step> steps = new ArrayDeque<>();
    private int pendingBytes;
    private boolean running;
    private boolean over;
    private @Nullable FsException failure;
    private volatile long lastUsedNanos;

    /**
     * The parts that streams share.
     *
     * @param buffer memory for pending chunks
     * @param ended takes a stream that is over
     */
    record Context(
            Scheduler scheduler,
            Generations generations,
            Shares buffer,
            TransferObserver observer,
            BlockTokens tokens,
            Consumer<WriteStream> ended) {}

    /** @param bytes that it holds while it waits */
    private record Step(int bytes, Work work, Consumer<Message> reply) {}

    /** Answers, or throws an {@code FsException}. */
    private interface Work {
        Message run();
    }

    WriteStream(BlockToken token, int windowBytes, Context context, BlockSink sink) {
        block = token.block();
        this.token = token;
        this.windowBytes = windowBytes;
        this.context = context;
        this.sink = sink;
        lastUsedNanos = context.scheduler().nanoTime();
    }

    Block block() {
        return block;
    }

    void chunk(WriteChunk chunk, Consumer<Message> reply) {
        add(new Step(chunk.bytes().length, () -> write(chunk), reply));
    }

    void finish(FinishWrite finish, Consumer<Message> reply) {
        finish(finish.length(), finish.crc32c(), WriteFinished::new, reply);
    }

    void finish(FinishForReceipt finish, Consumer<Message> reply) {
        finish(
                finish.length(),
                finish.crc32c(),
                written -> new WriteReceipt(written, context.tokens().receipt(written, token.store(), token.key())),
                reply);
    }

    private void finish(long length, int crc32c, Function<Block, Message> answer, Consumer<Message> reply) {
        long begun = context.scheduler().nanoTime();
        add(new Step(
                0,
                () -> {
                    context.generations().admit(block);
                    Block written = sink.finish(length, crc32c);
                    context.observer().finished(context.scheduler().nanoTime() - begun);
                    end(null);
                    return answer.apply(written);
                },
                reply));
    }

    private Message write(WriteChunk chunk) {
        byte[] bytes = chunk.bytes();
        context.generations().admit(block);
        if (chunk.offset() != sink.length()) {
            throw FsException.invalidArgument("a chunk at " + chunk.offset() + " of " + block.label() + " came where "
                    + sink.length() + " bytes are written");
        }
        if (!sink.addIf(chunk.crc32c(), bytes)) {
            throw new FsException(
                    ErrorCode.BLOCK_CORRUPT,
                    "the chunk at " + chunk.offset() + " of " + block.label()
                            + " was changed on its way here: write the block again, and check the network");
        }
        context.observer().wrote(bytes.length);
        return Done.DONE;
    }

    private void add(Step step) {
        boolean start;
        FsException refusal;
        synchronized (this) {
            refusal = refusal(step);
            if (refusal == null) {
                steps.add(step);
                pendingBytes += step.bytes();
            }
            start = refusal == null && !running;
            running |= start;
        }
        lastUsedNanos = context.scheduler().nanoTime();
        if (refusal != null) {
            step.reply().accept(Failed.of(refusal));
        } else if (start) {
            try {
                context.scheduler().execute(this::run);
            } catch (FsException full) {
                end(full);
                run();
            }
        }
    }

    /** Returns why a step is refused; null if its bytes got room. */
    private @Nullable FsException refusal(Step step) {
        if (over) {
            return failure != null ? failure : gone();
        }
        if (pendingBytes + step.bytes() > windowBytes) {
            return new FsException(
                    ErrorCode.OVERLOADED,
                    "more than the " + windowBytes + " bytes that " + block.label() + " was granted are on their way");
        }
        if (step.bytes() > 0 && !context.buffer().take(token.user(), step.bytes())) {
            return new FsException(
                    ErrorCode.OVERLOADED,
                    "more bytes wait for the disk than fit in memory, or than one user may have there: write "
                            + block.label() + " again");
        }
        return null;
    }

    private static FsException gone() {
        return new FsException(
                ErrorCode.NOT_FOUND, "this write has ended, or was idle for too long: write the block again");
    }

    private void run() {
        for (Step step = next(); step != null; step = next()) {
            FsException dead = failedBefore();
            Message answer;
            try {
                answer = dead == null ? step.work().run() : Failed.of(dead);
            } catch (RuntimeException | OutOfMemoryError e) {
                FsException typed = FsException.of(e);
                context.observer().failed(typed.code());
                end(typed);
                answer = Failed.of(typed);
            }
            lastUsedNanos = context.scheduler().nanoTime();
            done(step);
            step.reply().accept(answer);
        }
    }

    private synchronized @Nullable Step next() {
        Step step = steps.poll();
        if (step == null) {
            running = false;
            if (over) {
                sink.close();
            }
        }
        return step;
    }

    /** Frees its bytes before its answer lets the writer send more. */
    private synchronized void done(Step step) {
        pendingBytes -= step.bytes();
        if (step.bytes() > 0) {
            context.buffer().giveBack(token.user(), step.bytes());
        }
    }

    private synchronized @Nullable FsException failedBefore() {
        return over ? failure != null ? failure : gone() : null;
    }

    /** Drops the written bytes, unless the block is durable. Idempotent. */
    void abort(FsException why) {
        end(why);
        boolean idle;
        synchronized (this) {
            idle = !running;
        }
        if (idle) {
            sink.close();
        }
    }

    /** Returns whether the block is durable. */
    synchronized boolean isFinished() {
        return over && failure == null;
    }

    private void end(@Nullable FsException why) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            failure = why;
        }
        if (why != null) {
            LOG.info("{} is not written: {}", block.label(), why.getMessage());
        }
        context.ended().accept(this);
    }

    /** Returns how long the writer has sent nothing; 0 while a step runs. */
    long idleNanos() {
        synchronized (this) {
            if (running) {
                return 0;
            }
        }
        return context.scheduler().nanoTime() - lastUsedNanos;
    }
}
