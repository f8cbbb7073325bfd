package io.lambdafs.rpc.framing;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Tailed;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.message.Charged;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.net.SocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sending half of a connection: pending requests, the handler's replies, and the batch that carries both. {@link
 * #request} and {@link #reply} are thread-safe: they send at once on the loop and through the queue from other threads.
 * Everything else runs on the loop.
 */
final class Sender {
    private static final Logger LOG = LoggerFactory.getLogger(Sender.class);

    private final Wire wire;
    private final SocketAddress remoteAddress;
    private final TransportLimits limits;
    private final long lookoutNanos;
    private final Codec codec;
    private final LoopResources resources;
    private final HeldBytes.Account account;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final OutgoingQueue queue = new OutgoingQueue();
    private final AtomicBoolean wakeUp = new AtomicBoolean();
    private final Runnable drain = this::drain;
    private volatile boolean open;

    // Confined to the loop.
    private final CorrelationTable waiting;
    private final FrameBatch batch;
    private boolean inBatch;
    private int unanswered;

    Sender(
            Wire wire,
            SocketAddress remoteAddress,
            FramedConnection.Settings settings,
            LoopResources resources,
            HeldBytes.Account account) {
        this.wire = wire;
        this.account = account;
        this.remoteAddress = remoteAddress;
        this.limits = settings.limits();
        this.lookoutNanos = limits.lookout().toNanos();
        this.codec = settings.codec();
        this.resources = resources;
        waiting = new CorrelationTable(limits.maxInFlightPerConnection());
        batch = new FrameBatch(wire, codec, account);
    }

    /** Sends a request or fails it at once. */
    void request(PendingRequest request) {
        if (!open) {
            request.completeExceptionally(lost());
        } else if (!wire.isWritable()) {
            request.completeExceptionally(overloaded("too many bytes wait to be sent"));
        } else if (inFlight.incrementAndGet() > limits.maxInFlightPerConnection()) {
            inFlight.decrementAndGet();
            request.completeExceptionally(overloaded(limits.maxInFlightPerConnection() + " requests are under way"));
        } else if (wire.inLoop()) {
            send(request, System.nanoTime());
            flushOutsideBatch();
        } else {
            enqueue(request);
            if (!open) {
                // Closed meanwhile: the loop may have checked the queue for the last time.
                request.completeExceptionally(lost());
            }
        }
    }

    /** Sends the handler's reply. */
    void reply(PendingReply reply) {
        if (!open) {
            Tailed.drop(reply.join());
            return;
        }
        if (wire.inLoop()) {
            answer(reply);
            flushOutsideBatch();
        } else {
            enqueue(reply);
        }
    }

    /** Returns the number of requests sent and not yet answered; from any thread. */
    int inFlight() {
        return inFlight.get();
    }

    private void enqueue(Outgoing item) {
        queue.add(item);
        scheduleDrain();
    }

    private void flushOutsideBatch() {
        if (!inBatch) {
            scheduleDrain();
        }
    }

    private void scheduleDrain() {
        if (!wakeUp.get() && wakeUp.compareAndSet(false, true)) {
            try {
                wire.execute(drain);
            } catch (RejectedExecutionException loopEnded) {
                // The transport and thus this connection are closed: its requests have failed.
                wakeUp.set(false);
            }
        }
    }

    /** Sends everything queued or batched. */
    void drain() {
        long now = System.nanoTime();
        Outgoing item = queue.poll();
        while (item != null) {
            if (item instanceof PendingRequest request) {
                send(request, now);
            } else if (item instanceof PendingReply reply) {
                answer(reply);
            }
            item = queue.poll();
        }
        flush();
        wakeUp.set(false);
        if (!queue.isEmpty()) {
            scheduleDrain();
        }
    }

    private void send(PendingRequest request, long now) {
        if (!open) {
            fail(request, lost());
            return;
        }
        waiting.add(request);
        try {
            Message message = request.takeMessage();
            batch.add(resources.writer(), Frame.REQUEST, request.correlationId, message);
            request.lookoutNanos = lookoutNanos > 0 && codec.isAnsweredAtOnce(message) ? lookoutNanos : 0;
        } catch (FsException e) {
            waiting.remove(request.correlationId);
            fail(request, e);
            return;
        }
        resources.sent(request, now);
    }

    void expectRequest() {
        resources.expectRequest(lookoutNanos);
    }

    /** Returns a slot for the handler's reply; null if too many requests are unanswered or too many bytes unsent. */
    @Nullable
    PendingReply expectAnswer(FramedConnection connection, long correlationId) {
        resources.requestCame();
        if (unanswered >= limits.maxInFlightPerConnection()) {
            answer(correlationId, Failed.of(overloaded(unanswered + " requests wait for an answer")));
            return null;
        }
        if (!wire.isWritable() || account.isOverdrawn()) {
            batch.flush();
            if (!wire.isWritable() || account.isOverdrawn()) {
                answer(correlationId, Failed.of(overloaded("too many bytes wait to be read by the caller")));
                return null;
            }
        }
        unanswered++;
        return new PendingReply(connection, correlationId);
    }

    private void answer(PendingReply reply) {
        unanswered--;
        Message message = reply.join();
        if (!open) {
            Tailed.drop(message);
        } else if (message instanceof Charged charged) {
            answer(reply.correlationId, charged.message());
            charged.taken().run();
        } else {
            answer(reply.correlationId, message);
        }
    }

    private void answer(long correlationId, Message message) {
        try {
            batch.add(resources.writer(), Frame.REPLY, correlationId, message);
        } catch (FsException e) {
            Tailed.drop(message);
            LOG.warn("a reply to {} cannot be sent: {}", remoteAddress, e.getMessage());
            batch.add(resources.writer(), Frame.REPLY, correlationId, Failed.of(e));
        }
    }

    /** Refuses a request before it reaches the handler. */
    void refuse(long correlationId, FsException why) {
        answer(correlationId, Failed.of(why));
    }

    void beginBatch() {
        inBatch = true;
    }

    void endBatch() {
        inBatch = false;
        flush();
    }

    private void flush() {
        batch.flush();
        if (open && !wire.isWritable()) {
            long pending = wire.waitingBytes();
            if (pending > limits.maxPendingBytes()) {
                LOG.warn(
                        "connection to {} is closed: {} bytes wait for a peer that does not read",
                        remoteAddress,
                        pending);
                stop();
                wire.abort();
            }
        }
    }

    /** Returns the request of a reply; null if it timed out or never existed. */
    @Nullable
    PendingRequest waiting(long correlationId) {
        return waiting.get(correlationId);
    }

    /** Removes the request of a reply; null if it timed out or never existed. */
    @Nullable
    PendingRequest take(long correlationId) {
        PendingRequest request = waiting.remove(correlationId);
        if (request != null) {
            resources.over(request);
            inFlight.decrementAndGet();
        }
        return request;
    }

    private void fail(PendingRequest request, FsException why) {
        inFlight.decrementAndGet();
        request.completeExceptionally(why);
    }

    void timedOut(PendingRequest request) {
        if (waiting.remove(request.correlationId) != null) {
            fail(
                    request,
                    new FsException(
                            ErrorCode.TIMED_OUT,
                            "no reply from " + remoteAddress + " within "
                                    + TimeUnit.NANOSECONDS.toMillis(request.timeoutNanos)
                                    + " ms: it may still take effect; ask again under the same request id"));
        }
    }

    void opened() {
        open = true;
    }

    /** Stops sending; requests fail from here on. */
    void stop() {
        open = false;
    }

    /** Fails all pending requests. */
    void closed() {
        open = false;
        batch.discard();
        FsException lost = lost();
        for (PendingRequest request : waiting.removeAll()) {
            resources.over(request);
            fail(request, lost);
        }
        drain();
    }

    FsException lost() {
        return new FsException(
                ErrorCode.CONNECTION_LOST,
                "the connection to " + remoteAddress + " is closed: connect again and repeat");
    }

    private FsException overloaded(String why) {
        return new FsException(
                ErrorCode.OVERLOADED,
                "the connection to " + remoteAddress + " is full: " + why + "; repeat later or elsewhere");
    }
}
