package io.lambdafs.simulation;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.ConnectionState;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One end of a simulated connection: messages arrive in order, after a network partition at the earliest when it heals,
 * and never once the connection is broken. Not thread-safe.
 */
final class SimulatedConnection extends ConnectionState {
    /** Maximum requests in flight, as for the client's transport. */
    private static final int MAX_IN_FLIGHT = 512;

    private static final class Pending {
        final CompletableFuture<Message> reply = new CompletableFuture<>();
        Scheduler.@Nullable Timer limit;
    }

    private final SimulatedTransport transport;
    private final ConnectionHandler handler;
    private final Map<Long, Pending> pending = new LinkedHashMap<>();
    private @Nullable SimulatedConnection peer;
    private boolean open = true;
    private long sequence;
    private long lastArrival;

    SimulatedConnection(long id, SimulatedTransport transport, ConnectionHandler handler) {
        super(id);
        this.transport = transport;
        this.handler = handler;
    }

    void join(SimulatedConnection other) {
        peer = other;
    }

    SimulatedConnection peer() {
        SimulatedConnection other = peer;
        if (other == null) {
            throw new IllegalStateException("not joined");
        }
        return other;
    }

    SimulatedProcess process() {
        return transport.process();
    }

    ConnectionHandler handler() {
        return handler;
    }

    /** Delivers an event to the other end, after everything sent before. */
    void transmit(Runnable arrived) {
        SimulatedProcess to = peer().process();
        SimulatedTransport.Wire wire = transport.wire();
        lastArrival = Math.max(lastArrival, wire.ways.arrival(process(), to));
        wire.agenda.at(lastArrival, () -> to.message(arrived));
    }

    @Override
    public CompletionStage<Message> request(Message message, long timeoutNanos) {
        if (!open) {
            return CompletableFuture.failedFuture(
                    new FsException(ErrorCode.CONNECTION_LOST, "the connection is closed; nothing was sent"));
        }
        if (pending.size() >= MAX_IN_FLIGHT) {
            return CompletableFuture.failedFuture(
                    new FsException(ErrorCode.OVERLOADED, "too many requests in flight; nothing was sent"));
        }
        long number = sequence++;
        Pending sent = new Pending();
        pending.put(number, sent);
        sent.limit = process().schedule(timeoutNanos, () -> expire(number));
        transport.wire().observer.request(process(), peer().process(), message);
        transmit(() -> peer().received(number, message));
        return sent.reply;
    }

    private void expire(long number) {
        Pending late = pending.remove(number);
        if (late != null) {
            late.reply.completeExceptionally(
                    new FsException(ErrorCode.TIMED_OUT, "no reply came within the time of the request"));
        }
    }

    private void received(long number, Message message) {
        if (!open) {
            return;
        }
        boolean[] answered = {false};
        try {
            handler.request(this, message, reply -> {
                if (!answered[0]) {
                    answered[0] = true;
                    answer(number, message, reply);
                }
            });
        } catch (FsException refused) {
            answer(number, message, Failed.of(refused));
        }
    }

    private void answer(long number, Message message, Message reply) {
        if (open) {
            transport.wire().observer.reply(process(), peer().process(), message, reply);
            transmit(() -> peer().answered(number, reply));
        }
    }

    private void answered(long number, Message reply) {
        Pending asked = pending.remove(number);
        if (asked != null) {
            Scheduler.Timer limit = asked.limit;
            if (limit != null) {
                limit.cancel();
            }
            asked.reply.complete(reply);
        }
    }

    @Override
    public SocketAddress remoteAddress() {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), 10_000 + peer().process().number());
    }

    @Override
    public int inFlight() {
        return pending.size();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        if (open) {
            end();
            process().execute(this::hasClosed);
        }
    }

    /** Ends the connection; the other end will notice. */
    void end() {
        if (open) {
            open = false;
            transport.forget(this);
            transmit(() -> peer().broken());
        }
    }

    /** Called when the connection was broken by the other side or the network. */
    void broken() {
        if (open) {
            open = false;
            transport.forget(this);
            process().message(this::hasClosed);
        }
    }

    private void hasClosed() {
        List<Pending> lost = new ArrayList<>(pending.values());
        pending.clear();
        for (Pending each : lost) {
            Scheduler.Timer limit = each.limit;
            if (limit != null) {
                limit.cancel();
            }
            each.reply.completeExceptionally(
                    new FsException(ErrorCode.CONNECTION_LOST, "the connection closed before the reply"));
        }
        markClosed();
        handler.closed(this);
    }
}
