package io.lambdafs.client.tcp;

import io.lambdafs.client.config.ClientConfig.TcpUse;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Register;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server that instances dial back to (the paper's §3.2): a listening socket shared by this process's clients, and
 * the connections registered on it. A connection is unused until its {@link Register} presents a one-time secret issued
 * by this process for that deployment, within some seconds set by the transport; at most {@value #MAX_UNREGISTERED} may
 * be unregistered. Thread-safe.
 */
public final class TcpServer implements ConnectionHandler {
    private static final Duration RETIRE_AFTER = Duration.ofSeconds(5);
    static final int MAX_UNREGISTERED = 256;

    private static final Logger LOG = LoggerFactory.getLogger(TcpServer.class);

    /** Notified when a deployment's connections change. */
    public interface Listener {
        void connected(int deployment);

        void disconnected(int deployment);
    }

    /** The dependencies of servers. */
    public record Context(Scheduler scheduler, Transport transport, RandomGenerator secrets, Listener listener) {}

    private final Context context;
    private final TcpUse use;
    private final ConnectionTable table;
    private final Registrations registrations;
    private final AtomicInteger unregistered = new AtomicInteger();
    private final CompletableFuture<Transport.Listener> listening = new CompletableFuture<>();
    private volatile int port;
    private volatile boolean closed;

    private TcpServer(Context context, TcpUse use) {
        this.context = context;
        this.use = use;
        this.table = new ConnectionTable();
        this.registrations = new Registrations(context.scheduler(), context.secrets());
    }

    /** Starts listening; {@link #listening} reports success or failure. */
    public static TcpServer start(Context context, TcpUse use) {
        TcpServer server = new TcpServer(context, use);
        context.transport()
                .listen(new InetSocketAddress(use.host(), use.port()), server)
                .whenComplete(server::listens);
        return server;
    }

    private void listens(Transport.Listener listener, Throwable thrown) {
        if (thrown != null) {
            // Final: retrying would not free a port held by another process.
            listening.completeExceptionally(FsException.invalidArgument(
                    "the client's TCP server: " + FsException.of(thrown).getMessage(), thrown));
            return;
        }
        port = listener.address().getPort();
        listening.complete(listener);
        if (closed) {
            listener.close();
        }
    }

    /**
     * Completes when instances can connect; fails with {@code INVALID_ARGUMENT} naming an address that is unavailable.
     */
    public CompletionStage<Transport.Listener> listening() {
        return listening;
    }

    public boolean isListening() {
        return port != 0;
    }

    /** Returns the configured port; 0 for any. */
    public int wantedPort() {
        return use.port();
    }

    /** Returns the actual port; 0 until listening. */
    public int port() {
        return port;
    }

    public ConnectionTable table() {
        return table;
    }

    /** Returns an offer for an instance about to be called. */
    public TcpOffer offer(int deployment) {
        return new TcpOffer(use.advertisedHost(), port, use.transport(), registrations.issue(deployment));
    }

    /** Permits the registration of an instance called by a borrowing process. */
    public void expect(int deployment, String registration) {
        registrations.expect(deployment, registration);
    }

    /** Withdraws an unused offer. */
    public void withdraw(TcpOffer offer) {
        registrations.withdraw(offer.registration());
    }

    @Override
    public void opened(Connection connection) {
        if (unregistered.incrementAndGet() > MAX_UNREGISTERED) {
            connection.close();
        }
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        if (!(message instanceof Register register)) {
            reply.accept(new Failed(ErrorCode.UNSUPPORTED, "a client answers registrations only"));
            return;
        }
        FsException refusal = refusal(connection, register);
        if (refusal != null) {
            if (closed) {
                LOG.debug("refused {}: {}", connection.remoteAddress(), refusal.getMessage());
            } else {
                LOG.warn("refused {}: {}", connection.remoteAddress(), refusal.getMessage());
            }
            reply.accept(Failed.of(refusal));
            connection.close();
            return;
        }
        accept(connection, register, reply);
    }

    private @Nullable FsException refusal(Connection connection, Register register) {
        if (closed) {
            return FsException.unavailable("this client is closing");
        }
        if (connection.isAuthenticated()) {
            return FsException.invalidArgument("this connection has been registered before");
        }
        boolean known = ConnectionTable.canHave(register.deployment());
        if (!known || !registrations.redeem(register.deployment(), register.registration())) {
            return new FsException(
                    ErrorCode.UNAUTHENTICATED,
                    "the registration is unknown, used up, expired or of another deployment: wait for the next call");
        }
        return null;
    }

    private void accept(Connection connection, Register register, Consumer<Message> reply) {
        InstanceConnection accepted = new InstanceConnection(connection, register, context.scheduler());
        InstanceConnection older = table.of(register.deployment(), register.instance());
        connection.markAuthenticated();
        unregistered.decrementAndGet();
        connection.attach(accepted);
        reply.accept(Done.DONE);
        if (!table.add(accepted)) {
            LOG.warn("deployment {} has {} connections: one more is closed", register.deployment(), table.count());
            connection.close();
            return;
        }
        LOG.debug("connected: {}", accepted);
        context.listener().connected(register.deployment());
        if (older != null) {
            retire(older);
        }
    }

    /** Retires the old connection of an instance that has dialled again: nothing new is sent on it. */
    private void retire(InstanceConnection older) {
        drop(older);
        context.scheduler()
                .schedule(RETIRE_AFTER.toNanos(), () -> older.connection().close());
    }

    @Override
    public void closed(Connection connection) {
        if (connection.attachment() instanceof InstanceConnection known) {
            drop(known);
        } else {
            unregistered.decrementAndGet();
        }
    }

    private void drop(InstanceConnection gone) {
        if (table.remove(gone)) {
            LOG.debug("disconnected: {}", gone);
            context.listener().disconnected(gone.deployment());
        }
    }

    /**
     * Takes a hanging instance out of service: its requests fail with {@code CONNECTION_LOST} and are retried
     * elsewhere.
     */
    public void giveUp(InstanceConnection hung) {
        LOG.info("{} does not answer: its connection is closed", hung);
        drop(hung);
        hung.connection().close();
    }

    /** Stops listening and closes every connection. Idempotent. */
    public void close() {
        closed = true;
        listening.whenComplete((listener, thrown) -> {
            if (listener != null) {
                listener.close();
            }
        });
        table.forEach(connection -> connection.connection().close());
    }
}
