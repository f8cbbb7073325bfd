package io.lambdafs.functions.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.serving.ClientConnections.Caller;
import io.lambdafs.functions.serving.ClientConnections.Server;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.Role;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Bound;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.Register;
import io.lambdafs.rpc.transports.TransportKind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClientConnectionsTest {
    private static final Caller ALICE = new Caller("alice", InetAddress.getLoopbackAddress());
    private static final Principal ALICES = new Principal("alice", List.of("staff"));
    private static final Duration HOLD_OFF = Duration.ofMillis(250);

    private boolean isFull;
    private final ManualScheduler scheduler = new ManualScheduler() {
        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            return super.schedule(delayNanos, unlessFull(task));
        }

        @Override
        public void execute(Runnable task) {
            super.execute(unlessFull(task));
        }
    };
    private final Tokens tokens = Tokens.signed(Secret.generate());
    private final Dialler dialler = new Dialler();
    /** Callers of the served requests. */
    private final List<Principal> callers = new ArrayList<>();

    private final RequestGate gate = new RequestGate(
            new RequestGate.Answerer(3, () -> 42, (caller, request, reply) -> {
                callers.add(caller);
                reply.accept(new OperationReply(3, 42, true, Reply.Done.YES));
            }),
            new CpuShare(1, () -> 0, scheduler),
            new BillingMeter(scheduler));
    private final ClientConnections connections = new ClientConnections(
            kind -> dialler,
            tokens,
            new ClientConnections.Self(3, "i7", () -> 42),
            gate,
            scheduler,
            ClientRanges.LOOPBACK);

    private int ports = 10_000;

    /** Connects at once to whatever is dialled, and says yes to who registers, unless told otherwise. */
    private static final class Dialler implements Transport {
        final List<DialledConnection> dialled = new ArrayList<>();
        boolean isUnreachable;
        boolean isSilent;
        /** In place of a connection that stands at once; null otherwise. */
        @Nullable
        CompletableFuture<Connection> later;

        @Override
        public CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler) {
            DialledConnection connection = new DialledConnection(dialled.size() + 1L, address, handler);
            dialled.add(connection);
            if (isUnreachable) {
                return CompletableFuture.failedFuture(FsException.unavailable("nobody answers"));
            }
            if (!isSilent) {
                connection.registered.complete(Done.DONE);
            }
            CompletableFuture<Connection> promised = later;
            return promised == null ? CompletableFuture.completedFuture(connection) : promised;
        }

        DialledConnection last() {
            return dialled.get(dialled.size() - 1);
        }

        List<DialledConnection> open() {
            return dialled.stream().filter(Connection::isOpen).toList();
        }

        List<DialledConnection> closed() {
            return dialled.stream().filter(each -> !each.isOpen()).toList();
        }

        @Override
        public CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private Runnable unlessFull(Runnable task) {
        if (isFull) {
            throw new FsException(ErrorCode.OVERLOADED, "full");
        }
        return task;
    }

    private static Server server(String host, int port) {
        return new Server(host, port, TransportKind.NETTY, "one-time");
    }

    private List<Server> servers(int count) {
        List<Server> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(server("127.0.0.1", ports++));
        }
        return made;
    }

    private void connect(Caller caller, int count) {
        for (int left = count; left > 0; left -= ClientConnections.MAX_SERVERS_PER_CALL) {
            connections.reach(caller, servers(Math.min(left, ClientConnections.MAX_SERVERS_PER_CALL)));
        }
    }

    private static OperationRequest stat(int handle) {
        return new OperationRequest(
                handle, new RequestId(1, 2, 0, 1), 1, Long.MAX_VALUE, new ReadOperation.Stat(FsPath.ROOT));
    }

    private int bind(DialledConnection connection) {
        return bind(connection, ALICES);
    }

    private int bind(DialledConnection connection, Principal who) {
        String token = tokens.mint(who, Role.CLIENT, Duration.ofMinutes(1));
        return ((Bound) Objects.requireNonNull(connection.answer(new Bind(token)))).principal();
    }

    private void use(DialledConnection connection) {
        assertThat(connection.answer(stat(bind(connection))))
                .isInstanceOfSatisfying(
                        OperationReply.class, reply -> assertThat(reply.reply()).isEqualTo(Reply.Done.YES));
    }

    @Test
    void shouldRegisterWithEachServerOnce() {
        List<Server> named = servers(2);
        connections.reach(ALICE, named);
        connections.reach(ALICE, named);

        assertThat(dialler.dialled).hasSize(2);
        assertThat(dialler.dialled).extracting(each -> each.address.getPort()).containsExactly(10_000, 10_001);
        assertThat(dialler.last().asked).containsExactly(new Register(3, "i7", 42, "one-time"));
        assertThat(connections.count()).isEqualTo(2);
    }

    @Test
    void shouldLookAtSoManyServersOfACallAndNoMore() {
        connections.reach(ALICE, servers(ClientConnections.MAX_SERVERS_PER_CALL + 5));
        assertThat(dialler.dialled).hasSize(ClientConnections.MAX_SERVERS_PER_CALL);
    }

    @Test
    void shouldDialAServerAnewWhoseConnectionHasClosed() {
        List<Server> named = servers(1);
        connections.reach(ALICE, named);
        dialler.last().close();
        assertThat(connections.count()).isZero();
        connections.reach(ALICE, named);
        assertThat(dialler.dialled).hasSize(2);
        assertThat(connections.count()).isEqualTo(1);
    }

    @Test
    void shouldLeaveAServerAloneForAWhileThatCannotBeReached() {
        dialler.isUnreachable = true;
        List<Server> named = servers(1);
        connections.reach(ALICE, named);
        scheduler.advance(HOLD_OFF.minusNanos(1));
        connections.reach(ALICE, named);
        assertThat(dialler.dialled).hasSize(1);
        scheduler.advance(1);
        connections.reach(ALICE, named);
        assertThat(dialler.dialled).hasSize(2);
    }

    @Test
    void shouldCloseWhereItIsNotLetRegisterAndLeaveThatServerAloneForAWhile() {
        dialler.isSilent = true;
        List<Server> named = servers(1);
        connections.reach(ALICE, named);
        dialler.last().registered.complete(new Failed(ErrorCode.UNAUTHENTICATED, "not my call"));
        assertThat(dialler.last().isOpen()).isFalse();
        connections.reach(ALICE, named);
        assertThat(dialler.dialled).hasSize(1);
        scheduler.advance(HOLD_OFF);
        connections.reach(ALICE, named);
        assertThat(dialler.dialled).hasSize(2);
    }

    @Test
    void shouldForgetAtOnceAServerForWhichThereIsNoTimerOrThread() {
        CompletableFuture<Connection> later = new CompletableFuture<>();
        dialler.later = later;
        List<Server> named = servers(1);
        isFull = true;
        connections.reach(ALICE, named);
        assertThat(dialler.dialled).isEmpty();
        isFull = false;
        connections.reach(ALICE, named);
        assertThat(dialler.dialled).hasSize(1);

        isFull = true;
        later.completeExceptionally(FsException.unavailable("nobody answers"));
        isFull = false;
        connections.reach(ALICE, named);
        assertThat(dialler.dialled).hasSize(2);
    }

    @Test
    void shouldMakeRoomForAUsersNextConnectionByOneThatIsNotUsed() {
        connect(ALICE, ClientConnections.MAX_PER_USER);
        assertThat(dialler.closed()).isEmpty();

        connect(ALICE, 1);
        assertThat(dialler.closed()).hasSize(1);
        List<DialledConnection> used =
                dialler.open().subList(0, ClientConnections.MAX_PER_USER - ClientConnections.MAX_SERVERS_PER_CALL - 1);
        used.forEach(this::use);
        connect(ALICE, ClientConnections.MAX_SERVERS_PER_CALL);

        assertThat(dialler.closed()).hasSize(1 + ClientConnections.MAX_SERVERS_PER_CALL);
        assertThat(used).allMatch(Connection::isOpen);
        assertThat(connections.count()).isEqualTo(ClientConnections.MAX_PER_USER);
    }

    @Test
    void shouldTakeNoRoomFromOtherUsersBeforeItIsShort() {
        int users = ClientConnections.MAX_CONNECTIONS / ClientConnections.MAX_PER_USER;
        for (int i = 0; i < users; i++) {
            connect(new Caller("u" + i, null), ClientConnections.MAX_PER_USER);
        }
        assertThat(dialler.closed()).isEmpty();
        assertThat(connections.count()).isEqualTo(ClientConnections.MAX_CONNECTIONS);

        connect(ALICE, 1);
        assertThat(dialler.closed()).hasSize(1);
        assertThat(dialler.last().isOpen()).isTrue();
        assertThat(connections.count()).isEqualTo(ClientConnections.MAX_CONNECTIONS);
    }

    @Test
    void shouldNotCloseForRoomWhatIsStillDialled() {
        dialler.later = new CompletableFuture<>();
        connect(ALICE, ClientConnections.MAX_PER_USER);
        assertThat(connections.count()).isZero();
        connect(ALICE, 1);
        assertThat(dialler.dialled).hasSize(ClientConnections.MAX_PER_USER);
    }

    /** Otherwise a burst of calls that name such servers would dial in a loop. */
    @Test
    void shouldDialNothingInPlaceOfServersThatDoNotLetItRegister() {
        dialler.isSilent = true;
        connect(ALICE, ClientConnections.MAX_PER_USER);
        dialler.dialled.forEach(each -> each.registered.complete(new Failed(ErrorCode.UNAUTHENTICATED, "not my call")));
        connect(ALICE, 1);
        assertThat(dialler.dialled).hasSize(ClientConnections.MAX_PER_USER);
        scheduler.advance(HOLD_OFF);
        connect(ALICE, 1);
        assertThat(dialler.dialled).hasSize(ClientConnections.MAX_PER_USER + 1);
    }

    @Test
    void shouldDialNoAddressBeyondItsRanges() {
        Server other = server("192.0.2.7", 80);
        assertThatThrownBy(() -> connections.demand(ALICE, List.of(server("127.0.0.1", 1), other)))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_DENIED));
        connections.reach(ALICE, List.of(other));
        assertThat(dialler.dialled).isEmpty();
        connections.demand(ALICE, List.of(server("127.0.0.1", 1), server("localhost", 1)));
    }

    /** Many programs of a user share a connection; each has the groups of its own token. */
    @Test
    void shouldServeEachCallForTheIdentityOfItsHandle() {
        connect(ALICE, 1);
        DialledConnection connection = dialler.last();
        List<Principal> all = List.of(
                ALICES,
                new Principal("alice", List.of("staff", "dev")),
                new Principal("alice", List.of(Principal.SUPERGROUP)),
                new Principal("alice", List.of()),
                new Principal("bob", List.of("staff")));
        List<Integer> handles = all.stream().map(each -> bind(connection, each)).toList();
        List<Principal> wanted = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            int who = i * 7 % 11 % all.size();
            connection.answer(stat(handles.get(who)));
            wanted.add(all.get(who));
        }
        assertThat(callers).isEqualTo(wanted);
    }

    @Test
    void shouldTakeNothingButOperationsOfWhoIsBound() {
        connections.reach(ALICE, servers(1));
        DialledConnection connection = dialler.last();
        int handle = bind(connection);

        assertThat(connection.answer(Done.DONE))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BAD_FRAME));
        assertThat(connection.answer(stat(handle + 1)))
                .isInstanceOfSatisfying(
                        OperationReply.class,
                        reply -> assertThat(((Reply.Failure) reply.reply()).code())
                                .isEqualTo(ErrorCode.UNAUTHENTICATED));
        use(connection);
    }

    @Test
    void shouldCloseAllAndOpenNoMore() {
        connect(ALICE, 2);
        CompletableFuture<Connection> later = new CompletableFuture<>();
        dialler.later = later;
        connect(ALICE, 1);
        connections.close();
        assertThat(dialler.dialled.subList(0, 2)).noneMatch(Connection::isOpen);

        later.complete(dialler.last());
        assertThat(dialler.last().isOpen()).isFalse();
        connect(ALICE, 1);
        assertThat(dialler.dialled).hasSize(3);
    }

    @Test
    void shouldTakeOnlyAddressesOfServersThatCanBe() {
        for (Server good : List.of(server("h", 1), server("h".repeat(255), 65_535))) {
            assertThat(good.toString()).isEqualTo(good.host() + ":" + good.port());
        }
        assertThatThrownBy(() -> server("", 1)).isInstanceOf(FsException.class);
        assertThatThrownBy(() -> server("h".repeat(256), 1)).isInstanceOf(FsException.class);
        assertThatThrownBy(() -> server("h", 0)).isInstanceOf(FsException.class);
        assertThatThrownBy(() -> server("h", 65_536)).isInstanceOf(FsException.class);
        assertThat(new Server("h", 1, TransportKind.NETTY, "r".repeat(256)).registration())
                .hasSize(256);
        assertThatThrownBy(() -> new Server("h", 1, TransportKind.NETTY, "r".repeat(257)))
                .isInstanceOf(FsException.class);
    }
}
