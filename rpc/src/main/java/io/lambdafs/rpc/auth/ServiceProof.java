package io.lambdafs.rpc.auth;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Done;
import io.lambdafs.rpc.Failed;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.Proof;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has two processes of a cluster prove to each other that they hold its secret, without showing it. The one that dials sends a nonce;
 * the other one answers with a nonce of its own and an HMAC over both; the first checks it before it sends the HMAC that proves itself,
 * which is answered by {@link Done}. Each HMAC covers who gives it and which service was dialled, so it is good on this connection
 * alone, and neither end can be used to answer for another. Where identities are not checked, every proof is good. Thread-safe.
 */
public final class ServiceProof {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceProof.class);
    static final int NONCE_BYTES = 16;
    private static final int MAX_NONCE_CHARS = 64;
    /** Names the end that accepted the connection. */
    static final String ACCEPTS = "accepts";
    /** Names the end that dialled. */
    static final String DIALS = "dials";

    private final @Nullable Secret secret;
    private final SecureRandom random = new SecureRandom();

    public ServiceProof(Tokens tokens) {
        secret = tokens.secret();
    }

    /**
     * Proves this end of a connection that it dialled, once the other end has proved to be the service that was meant.
     *
     * @param service as the other end names itself, see {@link #door}
     * @return the connection, from which large frames are taken then; fails with {@code UNAVAILABLE} where another process listens, or as
     *     the service refused the proof. The caller closes the connection
     */
    public CompletionStage<Connection> give(Connection connection, String service, long timeoutNanos) {
        String nonce = nonce();
        return connection
                .request(new Proof(nonce, ""), timeoutNanos)
                .thenCompose(reply -> connection.request(answer(connection, service, nonce, reply), timeoutNanos))
                .thenApply(reply -> {
                    if (reply instanceof Done) {
                        return connection;
                    }
                    throw reply instanceof Failed refused ? refused.toException() : notIt(connection, service);
                });
    }

    private Proof answer(Connection connection, String service, String nonce, Message reply) {
        if (reply instanceof Proof theirs
                && theirs.nonce().length() <= MAX_NONCE_CHARS
                && isGood(theirs.proof(), ACCEPTS, service, nonce, theirs.nonce())) {
            connection.markAuthenticated();
            return new Proof(nonce, sign(DIALS, service, nonce, theirs.nonce()));
        }
        throw notIt(connection, service);
    }

    private static FsException notIt(Connection connection, String service) {
        return new FsException(ErrorCode.UNAVAILABLE, unproved(connection.remoteAddress(), service));
    }

    /** Says that who listens at an address is not the service that was meant. */
    static String unproved(Object address, String service) {
        return "who listens at " + address + " has not proved to be " + service
                + " of this cluster: see which process has that port, and whether both have the same secret file";
    }

    /**
     * A handler that lets a peer through to another one only after it has proved to hold the secret; the handler behind is told of a
     * connection only then.
     *
     * @param self names the service that listens, as those who dial it do
     */
    public ConnectionHandler door(Supplier<String> self, ConnectionHandler behind) {
        return new Door(self, behind);
    }

    private String sign(String end, String service, String dialled, String accepted) {
        Secret key = secret;
        return key == null ? "" : sign(key, end, service, dialled, accepted);
    }

    /** What the end of a connection that this names sends to prove itself, in hexadecimal digits. */
    static String sign(Secret key, String end, String service, String dialled, String accepted) {
        String text = "proof: " + end + " " + service + "\n" + dialled + "\n" + accepted;
        return HexFormat.of().formatHex(key.sign(text.getBytes(StandardCharsets.UTF_8)));
    }

    private boolean isGood(String proof, String end, String service, String dialled, String accepted) {
        return secret == null
                || MessageDigest.isEqual(
                        proof.getBytes(StandardCharsets.UTF_8),
                        sign(end, service, dialled, accepted).getBytes(StandardCharsets.UTF_8));
    }

    private String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The accepting end. Thread-safe. */
    private final class Door implements ConnectionHandler {
        private final Supplier<String> self;
        private final ConnectionHandler behind;

        Door(Supplier<String> self, ConnectionHandler behind) {
            this.self = self;
            this.behind = behind;
        }

        /** What was said on a connection whose peer has not proved itself. */
        private record Begun(String dialled, String accepted) {}

        @Override
        public void request(Connection connection, Message message, Consumer<Message> reply) {
            if (connection.isAuthenticated()) {
                behind.request(connection, message, reply);
            } else if (message instanceof Proof proof) {
                proof(connection, proof, reply);
            } else {
                refuse(connection, "the first message of a connection must begin a proof", reply);
            }
        }

        private void proof(Connection connection, Proof message, Consumer<Message> reply) {
            if (connection.attachment() instanceof Begun begun) {
                if (isGood(message.proof(), DIALS, self.get(), begun.dialled(), begun.accepted())) {
                    connection.markAuthenticated();
                    behind.opened(connection);
                    reply.accept(Done.DONE);
                } else {
                    refuse(
                            connection,
                            "the proof is not of this cluster: check that the secret file belongs to it",
                            reply);
                }
            } else if (message.nonce().length() <= MAX_NONCE_CHARS) {
                Begun begun = new Begun(message.nonce(), nonce());
                connection.attach(begun);
                reply.accept(new Proof(begun.accepted(), sign(ACCEPTS, self.get(), begun.dialled(), begun.accepted())));
            } else {
                refuse(connection, "a nonce of more than " + MAX_NONCE_CHARS + " characters", reply);
            }
        }

        private void refuse(Connection connection, String why, Consumer<Message> reply) {
            LOG.warn("refused {}: {}", connection.remoteAddress(), why);
            reply.accept(new Failed(ErrorCode.UNAUTHENTICATED, why));
            connection.close();
        }

        @Override
        public void closed(Connection connection) {
            if (connection.isAuthenticated()) {
                behind.closed(connection);
            }
        }
    }
}
