package io.lambdafs.store.server;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.rpc.Done;
import io.lambdafs.rpc.Failed;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.ServiceProof;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.StoreTransaction;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store in another process: a {@link StoreServer}. One connection, on which all transactions are pipelined; it reconnects by
 * itself. A transaction lives on the connection that it began on. Thread-safe; owns no thread.
 */
public final class StoreClient implements MetadataStore {
    /** How long an answer may take: longer than a transaction may live at the server. */
    public static final Duration CALL_LIMIT = Duration.ofSeconds(6);

    private final StoreLink link;
    private final AtomicLong transactions = new AtomicLong();

    private StoreClient(StoreLink link) {
        this.link = link;
    }

    /**
     * A client that begins to connect; calls wait for the first attempt.
     *
     * @param transport whose codec knows {@link StoreMessages}; the caller closes it after this
     * @param tokens of the cluster, whose secret both ends prove to hold
     */
    public static StoreClient connect(
            Transport transport, Scheduler scheduler, InetSocketAddress address, Tokens tokens) {
        StoreLink link = new StoreLink(transport, scheduler, address, new ServiceProof(tokens));
        link.dial();
        return new StoreClient(link);
    }

    /** Completes when a connection stands; fails as the last attempt did. */
    public CompletionStage<Void> ready() {
        return link.connection().thenAccept(connection -> {});
    }

    @Override
    public StoreTransaction begin(long epoch) {
        return new RemoteTransaction(link, transactions.incrementAndGet(), epoch);
    }

    @Override
    public CompletionStage<Void> fence(long epoch) {
        if (epoch <= 0) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("no instance has the epoch " + epoch));
        }
        return link.connection()
                .thenCompose(connection -> connection.request(new StoreMessage.Fence(epoch), CALL_LIMIT.toNanos()))
                .handle((reply, thrown) -> {
                    if (thrown != null) {
                        // Whether it happened or not, it may be asked for again.
                        throw unreached(FsException.of(thrown));
                    }
                    expectDone(reply);
                    return null;
                });
    }

    /** What a lost or late answer means where repeating does no harm: not reached. */
    static FsException unreached(FsException e) {
        return switch (e.code()) {
            case CONNECTION_LOST, TIMED_OUT, OVERLOADED ->
                new FsException(ErrorCode.UNAVAILABLE, "the store did not answer: " + e.getMessage(), e);
            default -> e;
        };
    }

    static void expectDone(Message reply) {
        if (reply instanceof Failed failed) {
            throw exception(failed);
        }
        if (!(reply instanceof Done)) {
            throw unexpected(reply);
        }
    }

    static RuntimeException exception(Failed failed) {
        return failed.code() == ErrorCode.INVALID_ARGUMENT
                ? new IllegalArgumentException(failed.message())
                : failed.toException();
    }

    static FsException unexpected(Message reply) {
        return new FsException(
                ErrorCode.INTERNAL,
                "not an answer of a store: " + reply.getClass().getSimpleName());
    }

    @Override
    public void close() {
        link.close();
    }
}
