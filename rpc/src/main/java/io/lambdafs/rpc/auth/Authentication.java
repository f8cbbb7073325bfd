package io.lambdafs.rpc.auth;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Bound;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates the peers of a server's handler: the first message must be a {@link Bind} with a valid token, answered
 * by {@link Bound}; any other is refused with {@code UNAUTHENTICATED} and the connection closed. Further {@code Bind}s
 * add identities, up to {@value #MAX_IDENTITIES} per connection, because connections are shared. The handler sees a
 * connection only once authenticated, as a separate {@link Connection} with a free attachment, and maps handles to
 * principals by {@link #principal}.
 *
 * <p>A token must be bound before it expires; a bound identity lasts as long as its connection. Thread-safe.
 */
public final class Authentication implements ConnectionHandler {
    public static final int MAX_IDENTITIES = 1_024;

    private static final Logger LOG = LoggerFactory.getLogger(Authentication.class);

    private final Tokens tokens;
    private final ConnectionHandler behind;

    private Authentication(Tokens tokens, ConnectionHandler behind) {
        this.tokens = tokens;
        this.behind = behind;
    }

    /** Admits every client with a valid token. */
    public static Authentication ofClients(Tokens tokens, ConnectionHandler behind) {
        return new Authentication(tokens, behind);
    }

    /**
     * Returns the principal behind a handle; from any thread.
     *
     * @param connection as passed to the handler
     * @throws FsException {@code UNAUTHENTICATED}: no such handle on this connection
     */
    public static Principal principal(Connection connection, int handle) {
        return identity(connection, handle).principal();
    }

    /** Same as {@link #principal}, with role and expiry. */
    public static Identity identity(Connection connection, int handle) {
        Identity identity = connection instanceof BoundConnection bound ? bound.identity(handle) : null;
        if (identity == null) {
            throw new FsException(
                    ErrorCode.UNAUTHENTICATED,
                    "nobody is bound to handle " + handle + " of this connection: bind a token first");
        }
        return identity;
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        if (message instanceof Bind bind) {
            bind(connection, bind, reply);
        } else if (connection.attachment() instanceof BoundConnection bound) {
            behind.request(bound, message, reply);
        } else {
            refuse(
                    connection,
                    new FsException(ErrorCode.UNAUTHENTICATED, "the first message of a connection must bind a token"),
                    reply);
        }
    }

    private void bind(Connection connection, Bind message, Consumer<Message> reply) {
        Identity identity;
        try {
            identity = tokens.verify(message.token());
        } catch (FsException e) {
            refuse(connection, e, reply);
            return;
        }
        if (connection.attachment() instanceof BoundConnection bound) {
            int handle = bound.add(identity);
            reply.accept(handle > 0 ? new Bound(handle) : Failed.of(tooMany()));
            return;
        }
        BoundConnection bound = new BoundConnection(connection);
        int handle = bound.add(identity);
        connection.attach(bound);
        connection.markAuthenticated();
        behind.opened(bound);
        reply.accept(new Bound(handle));
    }

    private static FsException tooMany() {
        return new FsException(
                ErrorCode.OVERLOADED, MAX_IDENTITIES + " identities are bound to this connection: open another");
    }

    /** Replies with a failure, and closes the connection unless another identity is already bound. */
    private static void refuse(Connection connection, FsException why, Consumer<Message> reply) {
        LOG.warn("refused {}: {}", connection.remoteAddress(), why.getMessage());
        reply.accept(Failed.of(why));
        if (!(connection.attachment() instanceof BoundConnection)) {
            connection.close();
        }
    }

    @Override
    public void closed(Connection connection) {
        if (connection.attachment() instanceof BoundConnection bound) {
            behind.closed(bound);
        }
    }
}
