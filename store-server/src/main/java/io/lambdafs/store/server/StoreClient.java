package io.lambdafs.store.server;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.ServiceProof;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreTransaction;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The client of a {@link StoreServer}: a {@link MetadataStore} in another process. Pipelines all transactions on one
 * connection and reconnects automatically. A transaction is bound to the connection it began on. Thread-safe; owns no
 * thread.
 */
public final class StoreClient implements MetadataStore {
    /** Time limit of a call, unless another is set: longer than the server's usual transaction limit. */
    public static final Duration CALL_LIMIT = Duration.ofSeconds(6);

    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final StoreLink link;
    private final AtomicLong transactions = new AtomicLong();
    private final AtomicInteger open = new AtomicInteger();

    private StoreClient(StoreLink link) {
        this.link = link;
    }

    /**
     * Creates a client that starts connecting; calls wait for the first attempt.
     *
     * @param transport with a codec that knows {@link StoreMessages}; the caller closes it after this client
     * @param tokens of the cluster, whose secret both ends prove
     */
    public static StoreClient connect(
            Transport transport, Scheduler scheduler, InetSocketAddress address, Tokens tokens) {
        return connect(transport, scheduler, List.of(address), tokens);
    }

    /**
     * Same as {@link #connect(Transport, Scheduler, InetSocketAddress, Tokens)}, to whichever of several servers is
     * active.
     */
    public static StoreClient connect(
            Transport transport, Scheduler scheduler, List<InetSocketAddress> addresses, Tokens tokens) {
        StoreLink link = new StoreLink(transport, scheduler, addresses, new ServiceProof(tokens));
        link.dial();
        return new StoreClient(link);
    }

    /** Sets the time limit of later calls, for a server with this transaction limit. */
    public StoreClient outlasting(Duration transactionLimit) {
        link.limitCalls(transactionLimit.plus(MARGIN));
        return this;
    }

    /** Completes when connected; fails as the last attempt did. */
    public CompletionStage<Void> ready() {
        return link.connection().thenAccept(connection -> {});
    }

    @Override
    public StoreTransaction begin(long epoch) {
        return new RemoteTransaction(link, transactions.incrementAndGet(), epoch, open);
    }

    /** Returns the number of transactions that may hold locks at the server: begun and not known to have ended. */
    public int openTransactions() {
        return open.get();
    }

    @Override
    public CompletionStage<Void> fence(long epoch) {
        if (epoch <= 0) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("no instance has the epoch " + epoch));
        }
        return ask(new StoreMessage.Fence(epoch), StoreClient::done);
    }

    @Override
    public CompletionStage<String> openSnapshot() {
        return ask(
                new StoreMessage.OpenSnapshot(),
                reply -> expect(StoreMessage.SnapshotOpen.class, reply).name());
    }

    @Override
    public CompletionStage<List<Row>> scanSnapshot(SnapshotScan scan) {
        return ask(new StoreMessage.ScanSnapshot(scan), StoreClient::rows);
    }

    @Override
    public CompletionStage<RowSum> sumSnapshot(SnapshotScan scan, int most) {
        return ask(
                new StoreMessage.SumSnapshot(scan, most),
                reply -> expect(StoreMessage.SummedRows.class, reply).sum());
    }

    @Override
    public CompletionStage<Void> closeSnapshot(String snapshot) {
        return ask(new StoreMessage.CloseSnapshot(snapshot), StoreClient::done);
    }

    /** Sends an idempotent request. */
    private <T extends @Nullable Object> CompletionStage<T> ask(StoreMessage message, Function<Message, T> answer) {
        return link.connection()
                .thenCompose(connection -> doubting(connection, connection.request(message, link.callLimitNanos())))
                .handle((reply, thrown) -> {
                    if (thrown != null) {
                        throw unreached(FsException.of(thrown));
                    }
                    return answer.apply(reply);
                });
    }

    private CompletionStage<Message> doubting(Connection connection, CompletionStage<Message> reply) {
        return reply.whenComplete((message, thrown) -> {
            if (thrown != null && FsException.of(thrown).code() == ErrorCode.TIMED_OUT) {
                link.doubt(connection);
            }
        });
    }

    private static @Nullable Void done(Message reply) {
        expectDone(reply);
        return null;
    }

    private static List<Row> rows(Message reply) {
        List<Row> rows = new ArrayList<>();
        for (Row row : expect(StoreMessage.FoundRows.class, reply).rows()) {
            rows.add(Objects.requireNonNull(row));
        }
        return rows;
    }

    private static <T extends Message> T expect(Class<T> type, Message reply) {
        if (reply instanceof Failed failed) {
            throw exception(failed);
        }
        if (!type.isInstance(reply)) {
            throw unexpected(reply);
        }
        return type.cast(reply);
    }

    /** Maps a lost or late answer of an idempotent request to an unreachable store. */
    static FsException unreached(FsException e) {
        return switch (e.code()) {
            case CONNECTION_LOST, TIMED_OUT, OVERLOADED ->
                FsException.unavailable("the store did not answer: " + e.getMessage(), e);
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
