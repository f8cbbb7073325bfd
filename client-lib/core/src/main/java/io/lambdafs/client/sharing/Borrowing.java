package io.lambdafs.client.sharing;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.tcp.ConnectionTable;
import io.lambdafs.client.tcp.InstanceConnection;
import io.lambdafs.client.tcp.Registrations;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.client.tcp.TcpServer;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Expect;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Lend;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Proof;
import io.lambdafs.rpc.message.Register;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections borrowed from one other process, from the greeting until it is gone: each is added to the table of
 * borrowed connections as if opened by an instance. Thread-safe.
 */
final class Borrowing implements ConnectionHandler {
    private final Sharing.Context context;
    private final TcpServer.Listener listener;
    private final ConnectionTable table;
    private final ClientConfig.TcpUse tcp;
    private volatile @Nullable Connection lender;
    private volatile boolean greeted;
    private volatile boolean outgrown;
    private volatile int port;
    // Guarded by this.
    private final Map<Long, InstanceConnection> known = new HashMap<>();
    private final Set<Long> givenUp = new HashSet<>();
    private long version;
    private boolean closed;

    Borrowing(Sharing.Context context, OwnConnections own, ConnectionTable table) {
        this.context = context;
        this.listener = own.borrowed();
        this.table = table;
        this.tcp = own.tcp();
    }

    /**
     * Authenticates this process's user to the lender, after the lender has authenticated itself; fails with an {@code
     * FsException}.
     */
    CompletionStage<Void> greet(Connection connection) {
        lender = connection;
        String nonce = Registrations.draw(context.secrets());
        long patience = Sharing.PATIENCE.toNanos();
        return connection
                .request(new Proof(nonce, ""), patience)
                .thenCompose(reply -> connection.request(answer(connection, nonce, reply), patience))
                .thenAccept(reply -> {
                    if (!(reply instanceof Lend first)) {
                        throw refusal(reply);
                    }
                    greeted = true;
                    update(first);
                })
                .whenComplete((done, thrown) -> {
                    if (thrown != null) {
                        connection.close();
                    }
                });
    }

    private Proof answer(Connection connection, String nonce, Message reply) {
        if (!(reply instanceof Proof theirs)) {
            throw refusal(reply);
        }
        if (!Lending.isEqual(theirs.proof(), context.place().proof(Lending.LENDER, nonce, theirs.nonce()))) {
            throw new FsException(ErrorCode.UNAUTHENTICATED, "the process that lends has other credentials");
        }
        connection.markAuthenticated();
        return new Proof(nonce, context.place().proof(Lending.BORROWER, nonce, theirs.nonce()));
    }

    private static FsException refusal(Message reply) {
        return reply instanceof Failed failed
                ? failed.toException()
                : new FsException(ErrorCode.INTERNAL, "a process that lends answered with " + reply);
    }

    boolean wasGreeted() {
        return greeted;
    }

    boolean isOpen() {
        Connection to = lender;
        return to != null && to.isOpen();
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        if (greeted && message instanceof Lend lend) {
            update(lend);
            reply.accept(Done.DONE);
        } else {
            reply.accept(new Failed(ErrorCode.UNSUPPORTED, "a process that borrows takes connections only"));
        }
    }

    private synchronized void update(Lend lend) {
        if (closed || lend.version() <= version) {
            return;
        }
        version = lend.version();
        port = lend.port();
        Set<Long> named = new HashSet<>();
        for (Lend.Instance each : lend.instances()) {
            named.add(each.connection());
            boolean valid = ConnectionTable.canHave(each.deployment());
            if (valid && !known.containsKey(each.connection()) && !givenUp.contains(each.connection())) {
                add(each);
            }
        }
        for (Long gone : Set.copyOf(known.keySet())) {
            if (!named.contains(gone)) {
                drop(gone);
            }
        }
        givenUp.retainAll(named);
    }

    private void add(Lend.Instance lent) {
        Connection to = lender;
        if (to == null) {
            return;
        }
        InstanceConnection borrowed = new InstanceConnection(
                new BorrowedConnection(this, to, lent.connection()),
                new Register(lent.deployment(), lent.instance(), lent.epoch(), ""),
                context.scheduler());
        if (table.add(borrowed)) {
            known.put(lent.connection(), borrowed);
            listener.connected(lent.deployment());
        }
    }

    private void drop(long connection) {
        InstanceConnection gone = known.remove(connection);
        if (gone != null && table.remove(gone)) {
            listener.disconnected(gone.deployment());
        }
    }

    /** Stops using a connection, even if still lent. */
    synchronized void giveUp(InstanceConnection hung) {
        if (hung.connection() instanceof BorrowedConnection borrowed && known.get(borrowed.lent()) == hung) {
            givenUp.add(borrowed.lent());
            drop(borrowed.lent());
        }
    }

    /** Returns an offer of the lender's server, announced to it; null if this process should use its own. */
    @Nullable
    TcpOffer offer(int deployment) {
        Connection to = lender;
        int serversPort = port;
        if (to == null || outgrown || serversPort < 1 || serversPort > 65_535 || !to.isOpen()) {
            return null;
        }
        String registration = Registrations.draw(context.secrets());
        to.request(new Expect(deployment, registration), Sharing.PATIENCE.toNanos());
        return new TcpOffer(tcp.advertisedHost(), serversPort, tcp.transport(), registration);
    }

    /** Notes that requests exceed the capacity of the borrowed route: from now on instances connect to this process. */
    void outgrown() {
        outgrown = true;
    }

    @Override
    public void closed(Connection connection) {
        synchronized (this) {
            closed = true;
            Set.copyOf(known.keySet()).forEach(this::drop);
        }
    }

    /** Stops borrowing; requests in flight fail with {@code CONNECTION_LOST}. Idempotent. */
    void close() {
        Connection to = lender;
        if (to != null) {
            to.close();
        }
    }
}
