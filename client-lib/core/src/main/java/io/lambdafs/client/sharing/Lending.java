package io.lambdafs.client.sharing;

import io.lambdafs.client.tcp.InstanceConnection;
import io.lambdafs.client.tcp.Registrations;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Bound;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Expect;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Forward;
import io.lambdafs.rpc.message.Lend;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.Proof;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Lends this process's connections to at most {@value #MAX_BORROWERS} other processes that prove the same credentials,
 * forwarding their requests. Each request goes under a handle bound with the borrower's own token, so no borrower can
 * use another's. Thread-safe.
 */
final class Lending implements ConnectionHandler {
    static final int MAX_BORROWERS = 256;
    static final String LENDER = "lender";
    static final String BORROWER = "borrower";

    private static final int MAX_LENT = 8_192;
    private static final int MAX_TIMEOUT_MILLIS = 600_000;
    private static final long TELL_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A process's handle on a lent connection. */
    private record Handle(long connection, int principal) {}

    /** A process that has dialled in. */
    private static final class Borrower {
        final String nonce;
        final String lendersNonce;
        final Set<Handle> handles = ConcurrentHashMap.newKeySet();

        Borrower(String nonce, String lendersNonce) {
            this.nonce = nonce;
            this.lendersNonce = lendersNonce;
        }
    }

    private final SharingPlace place;
    private final OwnConnections own;
    private final RandomGenerator secrets;
    private final Set<Connection> borrowers = ConcurrentHashMap.newKeySet();
    private volatile Map<Long, InstanceConnection> lent = Map.of();
    // Guarded by this.
    private long version;
    private @Nullable Runnable stop;

    Lending(SharingPlace place, OwnConnections own, RandomGenerator secrets) {
        this.place = place;
        this.own = own;
        this.secrets = secrets;
    }

    /** Called once listening; the argument stops it. */
    synchronized void started(Runnable ending) {
        stop = ending;
    }

    /** Notifies all borrowers that the set of connections has changed. */
    synchronized void changed() {
        Lend now = lend();
        for (Connection borrower : borrowers) {
            if (borrower.attachment() instanceof Borrower known) {
                known.handles.removeIf(handle -> !lent.containsKey(handle.connection()));
            }
            borrower.request(now, TELL_TIMEOUT_NANOS);
        }
    }

    private Lend lend() {
        Map<Long, InstanceConnection> all = new HashMap<>();
        List<Lend.Instance> told = new ArrayList<>();
        own.forEachOwn(each -> {
            if (all.size() < MAX_LENT && all.put(each.id(), each) == null) {
                told.add(new Lend.Instance(each.id(), each.deployment(), each.instance(), each.epoch()));
            }
        });
        lent = Map.copyOf(all);
        return new Lend(++version, own.port(), told);
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        if (!connection.isAuthenticated()) {
            greet(connection, message, reply);
        } else if (message instanceof Forward forward && connection.attachment() instanceof Borrower borrower) {
            forward(borrower, forward, reply);
        } else if (message instanceof Expect expect) {
            own.expect(expect.deployment(), expect.registration());
            reply.accept(Done.DONE);
        } else {
            reply.accept(new Failed(ErrorCode.UNSUPPORTED, "a process that lends takes what is for instances only"));
        }
    }

    private void greet(Connection connection, Message message, Consumer<Message> reply) {
        if (message instanceof Proof first && first.proof().isEmpty() && connection.attachment() == null) {
            Borrower borrower = new Borrower(first.nonce(), Registrations.draw(secrets));
            connection.attach(borrower);
            reply.accept(new Proof(borrower.lendersNonce, place.proof(LENDER, borrower.nonce, borrower.lendersNonce)));
        } else if (message instanceof Proof second
                && connection.attachment() instanceof Borrower borrower
                && isEqual(second.proof(), place.proof(BORROWER, borrower.nonce, borrower.lendersNonce))) {
            accept(connection, reply);
        } else {
            reply.accept(
                    new Failed(ErrorCode.UNAUTHENTICATED, "the credentials are not those of the process that lends"));
            connection.close();
        }
    }

    static boolean isEqual(String proof, String expected) {
        return MessageDigest.isEqual(
                proof.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.US_ASCII));
    }

    private synchronized void accept(Connection connection, Consumer<Message> reply) {
        if (borrowers.size() >= MAX_BORROWERS) {
            reply.accept(new Failed(ErrorCode.OVERLOADED, MAX_BORROWERS + " processes borrow already"));
            connection.close();
            return;
        }
        connection.markAuthenticated();
        borrowers.add(connection);
        reply.accept(lend());
    }

    private void forward(Borrower borrower, Forward asked, Consumer<Message> reply) {
        InstanceConnection to = lent.get(asked.connection());
        if (to == null) {
            reply.accept(new Failed(ErrorCode.NOT_READY, "this connection is lent no more"));
            return;
        }
        if (asked.message() instanceof OperationRequest operation
                && !borrower.handles.contains(new Handle(to.id(), operation.principal()))) {
            reply.accept(new Failed(
                    ErrorCode.UNAUTHENTICATED,
                    "handle " + operation.principal()
                            + " was given to another process, or to none: bind a token first"));
            return;
        }
        long millis = Math.max(1, Math.min(asked.timeoutMillis(), MAX_TIMEOUT_MILLIS));
        to.connection()
                .request(asked.message(), TimeUnit.MILLISECONDS.toNanos(millis))
                .whenComplete((answer, thrown) -> {
                    if (thrown != null) {
                        reply.accept(Failed.of(failure(to, thrown)));
                        return;
                    }
                    to.alive();
                    if (asked.message() instanceof Bind && answer instanceof Bound bound) {
                        borrower.handles.add(new Handle(to.id(), bound.principal()));
                    }
                    reply.accept(answer);
                });
    }

    /** Returns a request's failure; the lender judges for all borrowers whether the instance hangs. */
    private FsException failure(InstanceConnection to, Throwable thrown) {
        FsException why = FsException.of(thrown);
        if (why.code() == ErrorCode.TIMED_OUT && to.strike()) {
            own.giveUp(to);
        }
        return why;
    }

    @Override
    public void closed(Connection connection) {
        borrowers.remove(connection);
    }

    /** Ends lending. Idempotent. */
    void close() {
        Runnable ending;
        synchronized (this) {
            ending = stop;
            stop = null;
        }
        if (ending != null) {
            ending.run();
        }
        borrowers.forEach(Connection::close);
    }
}
