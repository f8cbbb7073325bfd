package io.lambdafs.store.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.ServiceProof;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.Read;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.memory.MemoryStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a client comes to its connection, and what it makes of answers that a store would not give. */
class StoreLinkTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final long PATIENCE = PatientWaits.PATIENCE.toNanos();

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Tokens tokens = Tokens.signed(Secret.generate());
    private final NettyTransport dialler =
            new NettyTransport(StoreMessages.codec(), 1, "client", TransportLimits.DEFAULT);
    private final NettyTransport serving =
            new NettyTransport(StoreMessages.codec(), 1, "server", TransportLimits.DEFAULT);
    private final MemoryStore store = new MemoryStore(scheduler);

    @AfterEach
    void close() {
        dialler.close();
        serving.close();
        store.close();
        scheduler.close();
    }

    /** Proves to be the store, and lets a test answer what comes then. */
    private final class Scripted implements ConnectionHandler {
        final CompletableFuture<Consumer<Message>> superseding = new CompletableFuture<>();
        final List<Connection> closed = new CopyOnWriteArrayList<>();
        volatile Message answer = Done.DONE;
        volatile boolean silent;

        @Override
        public void request(Connection connection, Message message, Consumer<Message> reply) {
            if (!superseding.complete(reply) && !silent) {
                reply.accept(answer);
            }
        }

        @Override
        public void closed(Connection connection) {
            closed.add(connection);
        }

        StoreClient connect() {
            int[] port = new int[1];
            ConnectionHandler door = new ServiceProof(tokens).door(() -> StoreServer.service(port[0]), this);
            InetSocketAddress address =
                    serving.listen(ANY, door).toCompletableFuture().join().address();
            port[0] = address.getPort();
            return StoreClient.connect(dialler, scheduler, address, tokens);
        }
    }

    private static FsException failure(CompletableFuture<Void> stage) {
        return FsException.of(Waits.join(stage.handle((value, thrown) -> thrown)));
    }

    @Test
    void shouldCloseTheConnectionOfAStoreThatRefusesIt() {
        Scripted other = new Scripted();
        try (StoreClient client = other.connect()) {
            CompletableFuture<Void> ready = client.ready().toCompletableFuture();
            other.superseding.join().accept(new Failed(ErrorCode.UNAUTHENTICATED, "not you"));

            FsException why = failure(ready);
            assertThat(why.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
            assertThat(why).hasMessage("not you");
            await().until(() -> !other.closed.isEmpty());
        }
    }

    @Test
    void shouldWaitForAnAnswerForLongerThanTheTransactionsOfItsServerMayTake() {
        Scripted slow = new Scripted();
        slow.silent = true;
        try (StoreClient client = slow.connect().outlasting(Duration.ofMillis(40))) {
            slow.superseding.join().accept(Done.DONE);

            assertThat(failure(client.fence(7).toCompletableFuture())).hasMessageContaining("within 1040 ms");
            assertThat(failure(client.begin(0).commit(List.of(), Long.MAX_VALUE).toCompletableFuture()))
                    .hasMessageContaining("within 1040 ms");
        }
    }

    @Test
    void shouldCloseAConnectionThatStandsTooLate() {
        Scripted other = new Scripted();
        StoreClient client = other.connect();
        CompletableFuture<Void> ready = client.ready().toCompletableFuture();
        Consumer<Message> superseding = other.superseding.join();
        client.close();
        assertThat(failure(ready)).hasMessageContaining("the client is closed");

        superseding.accept(Done.DONE);

        await().until(() -> !other.closed.isEmpty());
    }

    @Test
    void shouldTryAgainAfterPausesThatDoubleUpToTwoSeconds() {
        List<Long> pauses = new CopyOnWriteArrayList<>();
        Scheduler hasty = new Scheduler() {
            @Override
            public long nanoTime() {
                return scheduler.nanoTime();
            }

            @Override
            public long currentTimeMillis() {
                return scheduler.currentTimeMillis();
            }

            @Override
            public Timer schedule(long delayNanos, Runnable task) {
                pauses.add(delayNanos);
                return scheduler.schedule(pauses.size() < 12 ? 0 : PATIENCE, task);
            }

            @Override
            public RandomGenerator random() {
                return scheduler.random();
            }

            @Override
            public void execute(Runnable command) {
                scheduler.execute(command);
            }
        };
        StoreServer gone = serve();
        gone.close();

        try (StoreClient client = StoreClient.connect(dialler, hasty, gone.address(), tokens)) {
            await().until(() -> pauses.size() == 12);
            assertThat(failure(client.ready().toCompletableFuture()))
                    .hasMessageContaining("cannot be reached")
                    .hasMessageEndingWith("it is tried again");
        }
        long expected = TimeUnit.MILLISECONDS.toNanos(50);
        for (long pause : pauses) {
            assertThat(pause).isBetween(expected / 2, expected / 2 + expected);
            expected = Math.min(2 * expected, TimeUnit.SECONDS.toNanos(2));
        }
    }

    private StoreServer serve() {
        return StoreServer.start(store, serving, tokens, ANY)
                .toCompletableFuture()
                .join();
    }

    private StoreServer waiting() {
        FsException waits = FsException.unavailable("it waits");
        return StoreServer.start(store, () -> Optional.of(waits), serving, tokens, ANY)
                .toCompletableFuture()
                .join();
    }

    private StoreLink link(InetSocketAddress... servers) {
        StoreLink link = new StoreLink(dialler, scheduler, List.of(servers), new ServiceProof(tokens));
        link.dial();
        return link;
    }

    private static int port(StoreLink link) {
        Connection connection = Waits.join(link.connection());
        return ((InetSocketAddress) connection.remoteAddress()).getPort();
    }

    /** PROTOCOL: D8. */
    @Test
    void shouldUseTheServerThatServes() {
        StoreServer gone = serve();
        gone.close();
        StoreServer waits = waiting();
        StoreServer serves = serve();
        try (StoreLink link = link(gone.address(), waits.address(), serves.address())) {
            assertThat(port(link)).isEqualTo(serves.address().getPort());
        }
    }

    /** PROTOCOL: D8. */
    @Test
    void shouldMoveFromAServerThatDoesNotAnswerToOneThatServes() throws Exception {
        StoreServer frozen = serve();
        StoreServer waits = waiting();
        StoreServer serves = serve();
        try (StoreLink link = link(frozen.address(), waits.address(), serves.address())) {
            Connection before = link.connection().toCompletableFuture().get();
            link.doubt(before);
            await().until(() -> port(link) == serves.address().getPort());
            assertThat(before.isOpen()).isFalse();
        }
    }

    /** A late answer of the only active server is no reason to change. */
    @Test
    void shouldStayWhereNoOtherServerServes() throws Exception {
        StoreServer slow = serve();
        StoreServer waits = waiting();
        try (StoreLink link = link(slow.address(), waits.address())) {
            Connection before = link.connection().toCompletableFuture().get();
            link.doubt(before);
            await().until(() -> !link.isDoubting());
            assertThat(link.connection().toCompletableFuture()).isCompletedWithValue(before);
            assertThat(before.isOpen()).isTrue();
        }
    }

    @Test
    void shouldForgetTheClientsThatHaveLeft() {
        StoreServer server = serve();
        StoreClient client = StoreClient.connect(dialler, scheduler, server.address(), tokens);
        StoreClient other = StoreClient.connect(dialler, scheduler, server.address(), tokens);
        client.ready().toCompletableFuture().join();
        other.ready().toCompletableFuture().join();
        assertThat(server.clients()).isEqualTo(2);

        client.close();
        await().until(() -> server.clients() == 1);
        other.close();
        await().until(() -> server.clients() == 0);
    }

    @Test
    void shouldSayThatItIsNoStoresBusiness() {
        StoreServer server = serve();
        ConnectionHandler silent = (connection, message, reply) -> {};
        Connection connection = dialler.connect(server.address(), silent)
                .thenCompose(dialled -> new ServiceProof(tokens)
                        .give(dialled, StoreServer.service(server.address().getPort()), PATIENCE))
                .toCompletableFuture()
                .join();

        assertThat(connection.request(Done.DONE, PATIENCE).toCompletableFuture().join())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.message()).contains("does not answer Done"));
        StoreMessage answer = new StoreMessage.FoundRows(List.of(), false);
        assertThat(connection.request(answer, PATIENCE).toCompletableFuture().join())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.message()).contains("does not answer FoundRows"));
    }

    @Test
    void shouldAnswerOneCallOfATransactionAtATime() {
        StoreServer server = serve();
        try (StoreClient client = StoreClient.connect(dialler, scheduler, server.address(), tokens)) {
            Read row = Read.exclusive(Schema.SEQUENCES.key("row"));
            StoreTransaction holder = client.begin(0);
            holder.read(List.of(row), 0).toCompletableFuture().join();
            StoreTransaction waiting = client.begin(0);
            CompletableFuture<?> first = waiting.read(List.of(row), 0).toCompletableFuture();

            assertThat(waiting.read(List.of(row), 0).toCompletableFuture())
                    .isCompletedExceptionally()
                    .failsWithin(0, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withCauseInstanceOf(IllegalStateException.class);
            holder.abort();
            Waits.join(first);
        }
    }

    @Test
    void shouldNotTakeWhatIsNoAnswerForOne() {
        Scripted other = new Scripted();
        try (StoreClient client = other.connect()) {
            other.superseding.join().accept(Done.DONE);
            client.ready().toCompletableFuture().join();
            other.answer = new StoreMessage.Abort(1);

            assertThat(failure(client.fence(1).toCompletableFuture()))
                    .hasMessageContaining("not an answer of a store: Abort");
            other.answer = new Failed(ErrorCode.FENCED, "no");
            assertThat(failure(client.fence(1).toCompletableFuture()).code()).isEqualTo(ErrorCode.FENCED);
            for (long epoch : new long[] {0, -1}) {
                assertThat(client.fence(epoch).toCompletableFuture())
                        .failsWithin(0, TimeUnit.SECONDS)
                        .withThrowableThat()
                        .withCauseInstanceOf(IllegalArgumentException.class);
            }
            other.answer = Done.DONE;
            Waits.join(client.fence(1));
        }
    }
}
