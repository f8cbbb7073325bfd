package io.lambdafs.simulation;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.ConnectionRefusedException;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.message.Message;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A process's transport on the simulated network. All processes share one address and differ by port. Not thread-safe.
 */
public final class SimulatedTransport implements Transport {
    public static final String HOST = "127.0.0.1";
    private static final InetAddress ADDRESS = InetAddress.getLoopbackAddress();
    private static final long CONNECT_LIMIT_NANOS = 2_000_000_000L;

    /** Observes every message sent. */
    public interface Observer {
        /** An observer that does nothing. */
        Observer NOBODY = new Observer() {
            @Override
            public void request(SimulatedProcess from, SimulatedProcess to, Message message) {}

            @Override
            public void reply(SimulatedProcess from, SimulatedProcess to, Message request, Message reply) {}
        };

        void request(SimulatedProcess from, SimulatedProcess to, Message message);

        void reply(SimulatedProcess from, SimulatedProcess to, Message request, Message reply);
    }

    /** The state shared by all transports of a simulation: listeners and connection numbers. */
    public static final class Wire {
        final Agenda agenda;
        final Ways ways;
        final Observer observer;
        private final Map<Integer, Listening> ports = new TreeMap<>();
        private int nextPort = 1_024;
        private long nextConnection = 1;

        /** Creates a network without listeners. */
        public Wire(Agenda agenda, Ways ways, Observer observer) {
            this.agenda = agenda;
            this.ways = ways;
            this.observer = observer;
        }

        /** Observes every message sent. */
        public Observer observer() {
            return observer;
        }
    }

    private record Listening(SimulatedTransport transport, ConnectionHandler handler, InetSocketAddress address)
            implements Listener {
        @Override
        public void close() {
            transport.wire.ports.remove(address.getPort());
        }
    }

    private final Wire wire;
    private final SimulatedProcess process;
    private final Set<SimulatedConnection> connections = new LinkedHashSet<>();
    private final List<Listening> listeners = new ArrayList<>();
    private boolean closed;

    /** Creates the transport of a process. */
    public SimulatedTransport(Wire wire, SimulatedProcess process) {
        this.wire = wire;
        this.process = process;
        process.onEnd(this::died);
    }

    /** Returns the process. */
    public SimulatedProcess process() {
        return process;
    }

    Wire wire() {
        return wire;
    }

    void forget(SimulatedConnection connection) {
        connections.remove(connection);
    }

    @Override
    public CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler) {
        Listening listening = new Listening(this, handler, new InetSocketAddress(ADDRESS, wire.nextPort++));
        wire.ports.put(listening.address().getPort(), listening);
        listeners.add(listening);
        return CompletableFuture.completedFuture(listening);
    }

    @Override
    public CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler) {
        CompletableFuture<Connection> connected = new CompletableFuture<>();
        FsException nobody = FsException.unavailable("nobody answers at port " + address.getPort());
        if (closed) {
            connected.completeExceptionally(nobody);
            return connected;
        }
        Scheduler.Timer limit = process.schedule(CONNECT_LIMIT_NANOS, () -> connected.completeExceptionally(nobody));
        connected.whenComplete((connection, failure) -> limit.cancel());
        Listening listening = wire.ports.get(address.getPort());
        if (listening == null) {
            FsException refused = FsException.unavailable(
                    String.valueOf(nobody.getMessage()), new ConnectionRefusedException("refused"));
            wire.agenda.after(100_000, () -> process.message(() -> connected.completeExceptionally(refused)));
            return connected;
        }
        SimulatedTransport other = listening.transport();
        wire.ways.send(process, other.process, () -> other.accept(listening, this, handler, connected));
        return connected;
    }

    private void accept(
            Listening listening,
            SimulatedTransport caller,
            ConnectionHandler callers,
            CompletableFuture<Connection> connected) {
        if (!wire.ports.containsKey(listening.address().getPort())) {
            return;
        }
        SimulatedConnection mine = new SimulatedConnection(wire.nextConnection++, this, listening.handler());
        SimulatedConnection theirs = new SimulatedConnection(wire.nextConnection++, caller, callers);
        mine.join(theirs);
        theirs.join(mine);
        connections.add(mine);
        mine.transmit(() -> caller.connected(theirs, connected));
        listening.handler().opened(mine);
    }

    private void connected(SimulatedConnection connection, CompletableFuture<Connection> connected) {
        if (closed || connected.isDone()) {
            connection.close();
            return;
        }
        connections.add(connection);
        connection.handler().opened(connection);
        connected.complete(connection);
    }

    /** Breaks every connection to another process: both ends notice, and messages in flight are lost. */
    public void reset(SimulatedProcess other) {
        for (SimulatedConnection connection : List.copyOf(connections)) {
            if (connection.peer().process() == other) {
                connection.broken();
                connection.peer().broken();
            }
        }
    }

    /** Closes a dead process's sockets, as the operating system would. */
    private void died() {
        listeners.forEach(Listening::close);
        for (SimulatedConnection connection : List.copyOf(connections)) {
            connection.end();
        }
    }

    @Override
    public void close() {
        closed = true;
        listeners.forEach(Listening::close);
        for (SimulatedConnection connection : List.copyOf(connections)) {
            connection.close();
        }
    }
}
