package io.lambdafs.store.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Role;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.ServiceProof;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Proof;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.Guard;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.LockingStore;
import io.lambdafs.store.engine.RowEngine;
import io.lambdafs.store.engine.StoreLimits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that come, are refused, break and come back; the engine behind holds commits until it is told otherwise. */
class StoreLifeTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Key ROW = Schema.SEQUENCES.key("row");
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** Has no rows, and never ends a commit unless it is open. */
    private static final class Held implements RowEngine {
        volatile boolean open;
        final AtomicInteger applied = new AtomicInteger();

        @Override
        public CompletionStage<List<Row>> read(List<Key> keys) {
            List<Row> none = new ArrayList<>();
            keys.forEach(key -> none.add(null));
            return CompletableFuture.completedFuture(none);
        }

        @Override
        public CompletionStage<List<Row>> scan(Scan scan) {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis) {
            applied.addAndGet(mutations.isEmpty() ? 0 : 1);
            return open ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        }

        @Override
        public void close() {}
    }

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Tokens tokens = Tokens.signed(Secret.generate());
    private final Held engine = new Held();
    private final LockingStore store = new LockingStore(scheduler, StoreLimits.defaults(), engine);
    private final NettyTransport dialler =
            new NettyTransport(StoreMessages.codec(), 1, "client", TransportLimits.DEFAULT);
    private NettyTransport serving;
    private final List<StoreClient> clients = new ArrayList<>();

    private StoreServer serve(InetSocketAddress address) {
        serving = new NettyTransport(StoreMessages.codec(), 1, "server", TransportLimits.DEFAULT);
        return StoreServer.start(store, serving, tokens, address)
                .toCompletableFuture()
                .join();
    }

    private StoreClient client(InetSocketAddress address) {
        return client(address, tokens);
    }

    private StoreClient client(InetSocketAddress address, Tokens shown) {
        StoreClient client = StoreClient.connect(dialler, scheduler, address, shown);
        clients.add(client);
        return client;
    }

    @AfterEach
    void close() {
        clients.forEach(StoreClient::close);
        dialler.close();
        if (serving != null) {
            serving.close();
        }
        store.close();
        scheduler.close();
    }

    private static ErrorCode failure(CompletionStage<?> stage) {
        Throwable thrown = Waits.join(stage.handle((value, why) -> why));
        assertThat(thrown).as("should have failed").isNotNull();
        return FsException.of(thrown).code();
    }

    private static CompletionStage<?> lock(StoreTransaction transaction) {
        return transaction.read(List.of(Read.exclusive(ROW)), 0);
    }

    private static CompletionStage<Void> change(StoreTransaction transaction) {
        return transaction.commit(List.of(new Mutation.Put(new Row(ROW, 1L))), Long.MAX_VALUE);
    }

    @Test
    void shouldAbortTheTransactionsOfALostConnection() {
        StoreServer server = serve(ANY);
        StoreClient leaving = client(server.address());
        StoreTransaction left = leaving.begin(0);
        lock(left).toCompletableFuture().join();
        StoreTransaction heir = client(server.address()).begin(0);
        CompletableFuture<?> granted = lock(heir).toCompletableFuture();
        leaving.close();
        Waits.join(granted);
        assertThat(failure(change(left))).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void shouldSayThatALostCommitMayHaveHappened() {
        StoreServer server = serve(ANY);
        StoreClient client = client(server.address());
        StoreTransaction transaction = client.begin(0);
        lock(transaction).toCompletableFuture().join();
        CompletionStage<Void> commit = change(transaction);
        StoreTransaction other = client.begin(0);
        CompletionStage<?> waiting = lock(other);
        await().until(() -> store.lockStatistics().waiting() == 1);
        serving.close();
        assertThat(failure(commit)).isEqualTo(ErrorCode.CONNECTION_LOST);
        assertThat(failure(waiting)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failure(change(other))).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void shouldReconnectAndMeanwhileRefuse() {
        engine.open = true;
        StoreServer server = serve(ANY);
        InetSocketAddress address = server.address();
        StoreClient client = client(address);
        change(client.begin(0)).toCompletableFuture().join();
        serving.close();
        assertThat(failure(change(client.begin(0)))).isIn(ErrorCode.UNAVAILABLE, ErrorCode.CONNECTION_LOST);
        await().until(() -> failure(client.ready()) == ErrorCode.UNAVAILABLE);
        assertThat(failure(change(client.begin(0)))).isEqualTo(ErrorCode.UNAVAILABLE);
        serve(address);
        await().ignoreExceptionsInstanceOf(CompletionException.class)
                .untilAsserted(
                        () -> change(client.begin(0)).toCompletableFuture().join());
    }

    @Test
    void shouldRefuseWhoShowsATokenInsteadOfProvingItself() {
        StoreServer server = serve(ANY);
        Connection connection = dialled(server.address());
        String token = tokens.mint(new Principal("root", List.of(Principal.SUPERGROUP)), Role.CLIENT, MINUTE);
        assertThat(ask(connection, new Bind(token)).join())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
        await().until(() -> !connection.isOpen());
    }

    @Test
    void shouldServeNobodyOfAnotherCluster() {
        StoreServer server = serve(ANY);
        StoreClient client = client(server.address(), Tokens.signed(Secret.generate()));
        assertThat(failure(client.begin(0).read(List.of(), 0))).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(store.openTransactions()).isZero();
    }

    /** A process that has taken the store's port and answers like a store, without the secret. */
    private static final class Impostor implements ConnectionHandler {
        final List<Message> received = new CopyOnWriteArrayList<>();

        @Override
        public void request(Connection connection, Message message, Consumer<Message> reply) {
            received.add(message);
            reply.accept(message instanceof Proof ? new Proof("0", "0") : Done.DONE);
        }
    }

    @Test
    void shouldShowNothingToWhoHasTakenTheStoresPort() {
        Impostor impostor = new Impostor();
        serving = new NettyTransport(StoreMessages.codec(), 1, "server", TransportLimits.DEFAULT);
        InetSocketAddress address =
                serving.listen(ANY, impostor).toCompletableFuture().join().address();
        StoreClient client = client(address);
        assertThatThrownBy(() -> client.ready().toCompletableFuture().join())
                .hasMessageContaining("has not proved to be the store");
        assertThat(impostor.received)
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message)
                        .isInstanceOfSatisfying(
                                Proof.class, first -> assertThat(first.proof()).isEmpty()));
    }

    @Test
    void shouldNotTakeAStoreAtAnotherPortForTheOneThatIsMeant() {
        StoreServer server = serve(ANY);
        Connection real = dialled(server.address());
        NettyTransport relaying = new NettyTransport(StoreMessages.codec(), 1, "relay", TransportLimits.DEFAULT);
        ConnectionHandler relay =
                (connection, message, reply) -> ask(real, message).thenAccept(reply);
        InetSocketAddress address =
                relaying.listen(ANY, relay).toCompletableFuture().join().address();
        try {
            assertThat(failure(client(address).ready())).isEqualTo(ErrorCode.UNAVAILABLE);
        } finally {
            relaying.close();
        }
    }

    private Connection dialled(InetSocketAddress address) {
        ConnectionHandler silent = (connection, message, reply) -> {};
        return dialler.connect(address, silent).toCompletableFuture().join();
    }

    @Test
    void shouldNameAnAddressWhereNobodyListens() {
        StoreServer server = serve(ANY);
        InetSocketAddress address = server.address();
        serving.close();
        StoreClient client = client(address);
        assertThatThrownBy(() -> client.begin(0)
                        .scan(new Scan(Schema.SLOTS, "c", null, 1))
                        .toCompletableFuture()
                        .join())
                .cause()
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                .hasMessageContaining(String.valueOf(address.getPort()));
        assertThat(failure(client.fence(1))).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void shouldAbortByAMessageAndForgetTheTransaction() {
        StoreServer server = serve(ANY);
        StoreClient client = client(server.address());
        StoreTransaction first = client.begin(0);
        lock(first).toCompletableFuture().join();
        first.abort();
        Waits.join(lock(client.begin(0)));
        assertThat(store.openTransactions()).isEqualTo(1);
        assertThat(failure(lock(first))).isEqualTo(ErrorCode.STORE_CONFLICT);
    }

    private Connection rawConnection(InetSocketAddress address) {
        Connection connection = dialled(address);
        new ServiceProof(tokens)
                .give(connection, StoreServer.service(address.getPort()), MINUTE.toNanos())
                .toCompletableFuture()
                .join();
        assertThat(ask(connection, new StoreMessage.Supersede("the client")).join())
                .isEqualTo(Done.DONE);
        return connection;
    }

    private static CompletableFuture<Message> ask(Connection connection, Message message) {
        return connection.request(message, TimeUnit.SECONDS.toNanos(30)).toCompletableFuture();
    }

    private static StoreMessage guarded(long id) {
        return new StoreMessage.CommitIf(
                new StoreMessage.Name(id, true, 0),
                new GuardedCommit(
                        List.of(Read.exclusive(ROW)),
                        List.of(new Guard.Absent()),
                        List.of(new Mutation.Put(new Row(ROW, 1L))),
                        Long.MAX_VALUE));
    }

    @Test
    void shouldLetNothingHappenOnASupersededConnection() {
        engine.open = true;
        StoreServer server = serve(ANY);
        StoreTransaction holder = store.begin(0);
        lock(holder).toCompletableFuture().join();
        Connection before = rawConnection(server.address());
        CompletableFuture<Message> waiting = ask(before, guarded(1));
        await().until(() -> store.lockStatistics().waiting() == 1);
        Connection after = rawConnection(server.address());
        assertThat(store.lockStatistics().waiting()).isZero();
        holder.abort();
        assertThat(waiting.join()).isInstanceOf(Failed.class);
        assertThat(ask(before, guarded(2)).join()).isInstanceOf(Failed.class);
        assertThat(engine.applied).hasValue(0);
        assertThat(ask(after, guarded(3)).join()).isEqualTo(Done.DONE);
        assertThat(engine.applied).hasValue(1);
        before.close();
        after.close();
    }
}
