package io.lambdafs.door.mount.device;

import io.lambdafs.door.mount.wire.Answer;
import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.ErrnoException;
import io.lambdafs.door.mount.wire.Opcode;
import io.lambdafs.door.mount.wire.Request;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests until the directory is mounted no more. Each of {@value #THREADS} threads takes a request, answers
 * it, which may block, and takes the next: further requests wait in the kernel. Thread-safe.
 */
public final class Session {
    /** Longest contents of a write. */
    public static final int MOST_DATA_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final int THREADS = 32;
    private static final int HEADERS_BYTES = 8 << 10;

    private final Device device;
    private final Calls calls;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicInteger running = new AtomicInteger(THREADS);

    /** Answers requests. Thread-safe. */
    public interface Calls {
        /**
         * Answers a request.
         *
         * @throws ErrnoException, FsException if it is refused
         */
        Answer answer(Opcode opcode, Request request) throws InterruptedException;
    }

    public Session(Device device, Calls calls) {
        this.device = device;
        this.calls = calls;
    }

    /** Begins to answer; returns at once. */
    public void start() {
        for (int i = 0; i < THREADS; i++) {
            new Thread(this::serve, "fuse-" + i).start();
        }
    }

    /** Completes when the directory is mounted no more, and every request has been answered. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    private void serve() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(MOST_DATA_BYTES + HEADERS_BYTES);
        try {
            while (device.read(buffer.clear())) {
                answer(buffer.flip());
            }
        } catch (IOException e) {
            LOG.error("Requests cannot be read: {}", e.toString());
        } finally {
            if (running.decrementAndGet() == 0) {
                ended.complete(null);
            }
        }
    }

    private void answer(ByteBuffer bytes) {
        Request request;
        try {
            request = new Request(bytes);
        } catch (ErrnoException e) {
            LOG.error("A request of {} bytes cannot be read", bytes.remaining());
            return;
        }
        Opcode opcode = request.opcode();
        Answer answer = opcode == null ? Answer.refused(Errno.ENOSYS) : answer(opcode, request);
        if (opcode == null || !opcode.isSilent()) {
            device.write(answer, request.unique());
        }
    }

    private Answer answer(Opcode opcode, Request request) {
        try {
            return calls.answer(opcode, request);
        } catch (ErrnoException e) {
            return Answer.refused(e.errno());
        } catch (FsException e) {
            LOG.debug("{} fails: {}", opcode, e.toString());
            return Answer.refused(Errno.of(e));
        } catch (InterruptedException e) {
            return Answer.refused(Errno.EIO);
        } catch (RuntimeException e) {
            LOG.error("{} failed", opcode, e);
            return Answer.refused(Errno.EIO);
        }
    }
}
