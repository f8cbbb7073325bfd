package io.lambdafs.rpc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The state that every end of a connection keeps: its number, whether the other end has authenticated, what is attached
 * to it, and whether it has closed. Thread-safe.
 */
public abstract class ConnectionState implements Connection {
    private final long id;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean authenticated;
    private volatile @Nullable Object attachment;

    protected ConnectionState(long id) {
        this.id = id;
    }

    @Override
    public final long id() {
        return id;
    }

    /** Completes {@link #closed}; returns whether it was not complete yet. */
    protected final boolean markClosed() {
        return closed.complete(null);
    }

    @Override
    public boolean isOpen() {
        return !closed.isDone();
    }

    @Override
    public final CompletionStage<Void> closed() {
        return closed.minimalCompletionStage();
    }

    @Override
    public final void markAuthenticated() {
        authenticated = true;
    }

    @Override
    public boolean isAuthenticated() {
        return authenticated;
    }

    @Override
    public final @Nullable Object attachment() {
        return attachment;
    }

    @Override
    public final void attach(Object newAttachment) {
        attachment = newAttachment;
    }
}
