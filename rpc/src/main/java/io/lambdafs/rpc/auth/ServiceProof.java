package io.lambdafs.rpc.auth;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Proof;
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
 * Mutual authentication of a cluster's processes: both prove knowledge of its secret without revealing it. The dialling
 * end sends a nonce; the other answers with its own nonce and an HMAC over both; the first checks it, then sends its
 * own HMAC, which is answered by {@link Done}. Each HMAC covers the role of its sender and the dialled service, so it
 * is valid on this connection only and cannot be relayed. In insecure mode every proof is accepted. Thread-safe.
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
     * Proves this end of a dialled connection, once the other end has proved to be the intended service.
     *
     * @param service name the other end uses, see {@link #door}
     * @return the connection, now accepting large frames; fails with {@code UNAVAILABLE} if another process listens, or
     *     as the service refused the proof. The caller closes the connection
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
        return FsException.unavailable(unproved(connection.remoteAddress(), service));
    }

    /** Returns the message for a listener that is not the intended service. */
    static String unproved(Object address, String service) {
        return "who listens at " + address + " has not proved to be " + service
                + " of this cluster: see which process has that port, and whether both have the same secret file";
    }

    /**
     * Returns a handler that passes a connection on to another only after the peer has proved knowledge of the secret.
     *
     * @param self name of the listening service, as its dialling peers use it
     */
    public ConnectionHandler door(Supplier<String> self, ConnectionHandler behind) {
        return new Door(self, behind);
    }

    private String sign(String end, String service, String dialled, String accepted) {
        Secret key = secret;
        return key == null ? "" : sign(key, end, service, dialled, accepted);
    }

    /** Returns the proof sent by the named end of a connection, in hexadecimal digits. */
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

        /** The nonces of a connection whose peer has not proved itself yet. */
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
