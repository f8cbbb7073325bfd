package io.lambdafs.rpc.auth;

import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.message.Message;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A connection with its bound identities; handles start at 1. Thread-safe. */
final class BoundConnection implements Connection {
    private final Connection connection;
    private volatile Identity[] identities = new Identity[0];
    private volatile @Nullable Object attachment;

    BoundConnection(Connection connection) {
        this.connection = connection;
    }

    /** Adds an identity, or renews the same principal's; returns its handle, 0 if there is no room. */
    synchronized int add(Identity identity) {
        Identity[] known = identities;
        for (int i = 0; i < known.length; i++) {
            if (known[i].role() == identity.role() && known[i].principal().equals(identity.principal())) {
                Identity[] renewed = known.clone();
                renewed[i] = identity;
                identities = renewed;
                return i + 1;
            }
        }
        if (known.length == Authentication.MAX_IDENTITIES) {
            return 0;
        }
        Identity[] longer = Arrays.copyOf(known, known.length + 1);
        longer[known.length] = identity;
        identities = longer;
        return longer.length;
    }

    @Nullable
    Identity identity(int handle) {
        Identity[] known = identities;
        return handle >= 1 && handle <= known.length ? known[handle - 1] : null;
    }

    @Override
    public long id() {
        return connection.id();
    }

    @Override
    public SocketAddress remoteAddress() {
        return connection.remoteAddress();
    }

    @Override
    public CompletionStage<Message> request(Message message, long timeoutNanos) {
        return connection.request(message, timeoutNanos);
    }

    @Override
    public int inFlight() {
        return connection.inFlight();
    }

    @Override
    public boolean isOpen() {
        return connection.isOpen();
    }

    @Override
    public void expectRequest() {
        connection.expectRequest();
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public CompletionStage<Void> closed() {
        return connection.closed();
    }

    @Override
    public void markAuthenticated() {
        connection.markAuthenticated();
    }

    @Override
    public boolean isAuthenticated() {
        return connection.isAuthenticated();
    }

    @Override
    public @Nullable Object attachment() {
        return attachment;
    }

    @Override
    public void attach(Object newAttachment) {
        attachment = newAttachment;
    }

    @Override
    public String toString() {
        return connection.toString();
    }
}
