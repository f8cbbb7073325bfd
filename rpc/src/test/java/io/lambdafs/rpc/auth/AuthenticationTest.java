package io.lambdafs.rpc.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Timeouts;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Bound;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.netty.NettyTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AuthenticationTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long PATIENCE = PatientWaits.PATIENCE.toNanos();
    private static final Principal ANN = new Principal("ann", List.of("staff"));
    private static final Principal BOB = new Principal("bob", List.of());

    private final Tokens tokens = Tokens.signed(Secret.generate());
    /** It closes nobody for want of a proof, so that whom the tests see closed was refused. */
    private final Transport transport =
            new NettyTransport(RpcMessages.codec(), 1, "test-auth", Timeouts.proof(TransportLimits.DEFAULT, HOUR));

    private final List<Connection> opened = new CopyOnWriteArrayList<>();
    private final List<Connection> closed = new CopyOnWriteArrayList<>();

    /** Answers {@code Failed(_, user[groups])} to {@code Bound(handle)}, so that tests see who it takes the caller for. */
    private final ConnectionHandler behind = new ConnectionHandler() {
        @Override
        public void opened(Connection connection) {
            connection.attach("free");
            opened.add(connection);
        }

        @Override
        public void request(Connection connection, Message message, Consumer<Message> reply) {
            assertThat(connection.attachment()).isEqualTo("free");
            if (message instanceof Bound handle) {
                Principal who = Authentication.principal(connection, handle.principal());
                String groups = who.groups().isEmpty() ? "" : "" + who.groups();
                reply.accept(new Failed(ErrorCode.UNSUPPORTED, who.user() + groups));
            } else {
                reply.accept(message);
            }
        }

        @Override
        public void closed(Connection connection) {
            closed.add(connection);
        }
    };

    @AfterEach
    void close() {
        transport.close();
    }

    private Connection connect(ConnectionHandler authentication) {
        Transport.Listener listener = transport
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), authentication)
                .toCompletableFuture()
                .join();
        return transport
                .connect(listener.address(), (connection, message, reply) -> {})
                .toCompletableFuture()
                .join();
    }

    private static Message ask(Connection connection, Message message) {
        return connection.request(message, PATIENCE).toCompletableFuture().join();
    }

    private Bind bind(Principal principal) {
        return new Bind(tokens.mint(principal, Role.CLIENT, HOUR));
    }

    private static String whoIs(Connection connection, int handle) {
        return ((Failed) ask(connection, new Bound(handle))).message();
    }

    private static void assertRefused(Message reply, ErrorCode code) {
        assertThat(reply)
                .isInstanceOfSatisfying(Failed.class, f -> assertThat(f.code()).isEqualTo(code));
    }

    private static void assertClosed(Connection connection) {
        await().until(() -> !connection.isOpen());
    }

    @Test
    void shouldKnowWhoStandsBehindEachHandle() {
        Connection connection = connect(Authentication.ofClients(tokens, behind));

        assertThat(ask(connection, bind(ANN))).isEqualTo(new Bound(1));
        assertThat(ask(connection, bind(BOB))).isEqualTo(new Bound(2));

        assertThat(whoIs(connection, 1)).isEqualTo("ann[staff]");
        assertThat(whoIs(connection, 2)).isEqualTo("bob");
        assertThat(opened).hasSize(1);
        assertThat(opened.get(0).isAuthenticated()).isTrue();
        connection.close();
        await().until(() -> closed.size() == 1);
        assertThat(closed.get(0)).isSameAs(opened.get(0));
    }

    /** Whoever has the same name is somebody else if a group is missing, or more are there, or another is the primary one. */
    @Test
    void shouldKeepTheGroupsOfEachIdentityApart() {
        Connection connection = connect(Authentication.ofClients(tokens, behind));
        List<List<String>> groups = List.of(
                List.of("staff"),
                List.of("staff", "dev"),
                List.of("dev", "staff"),
                List.of(),
                List.of(Principal.SUPERGROUP),
                List.of("staff", Principal.SUPERGROUP));
        for (int turn = 0; turn < 3; turn++) {
            for (int i = 0; i < groups.size(); i++) {
                Bind again = bind(new Principal("ann", groups.get(i)));
                assertThat(ask(connection, again)).as("%s", groups.get(i)).isEqualTo(new Bound(i + 1));
                for (int bound = 0; bound < (turn == 0 ? i + 1 : groups.size()); bound++) {
                    String known = groups.get(bound).isEmpty() ? "" : "" + groups.get(bound);
                    assertThat(whoIs(connection, bound + 1)).isEqualTo("ann" + known);
                }
            }
        }
    }

    @Test
    void shouldRefuseHandlesThatWereNotGiven() {
        Connection connection = connect(Authentication.ofClients(tokens, behind));
        ask(connection, bind(ANN));

        for (int handle : new int[] {0, 2, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertRefused(ask(connection, new Bound(handle)), ErrorCode.UNAUTHENTICATED);
        }
        assertThatThrownBy(() -> Authentication.principal(connection, 1)).isInstanceOf(FsException.class);
    }

    @Test
    void shouldRefuseAndCloseWhenTheFirstMessageBindsNothing() {
        Connection connection = connect(Authentication.ofClients(tokens, behind));

        assertRefused(ask(connection, Done.DONE), ErrorCode.UNAUTHENTICATED);

        assertClosed(connection);
        assertThat(opened).isEmpty();
        assertThat(closed).isEmpty();
    }

    @Test
    void shouldRefuseAndCloseOnAForeignToken() {
        Connection connection = connect(Authentication.ofClients(tokens, behind));
        String foreign = Tokens.signed(Secret.generate()).mint(ANN, Role.CLIENT, HOUR);

        assertRefused(ask(connection, new Bind(foreign)), ErrorCode.UNAUTHENTICATED);

        assertClosed(connection);
        assertThat(opened).isEmpty();
    }

    @Test
    void shouldRefuseAnExpiredTokenByName() {
        Connection connection = connect(Authentication.ofClients(tokens, behind));
        Bind expired = new Bind(tokens.mint(ANN, Role.CLIENT, Duration.ofMillis(-1)));

        assertRefused(ask(connection, expired), ErrorCode.TOKEN_EXPIRED);

        assertClosed(connection);
    }

    @Test
    void shouldKeepAConnectionThatOthersUseWhenOneTokenIsBad() {
        Connection connection = connect(Authentication.ofClients(tokens, behind));
        ask(connection, bind(ANN));

        assertRefused(ask(connection, new Bind("bad")), ErrorCode.UNAUTHENTICATED);

        assertThat(whoIs(connection, 1)).isEqualTo("ann[staff]");
    }

    @Test
    void shouldGiveTheSameHandleToTheSameIdentityAndBoundTheOthers() {
        Connection connection = connect(Authentication.ofClients(tokens, behind));
        for (int i = 1; i <= Authentication.MAX_IDENTITIES; i++) {
            assertThat(ask(connection, bind(new Principal("u" + i, List.of())))).isEqualTo(new Bound(i));
        }

        assertRefused(ask(connection, bind(ANN)), ErrorCode.OVERLOADED);
        assertThat(ask(connection, bind(new Principal("u7", List.of())))).isEqualTo(new Bound(7));
        assertThat(whoIs(connection, Authentication.MAX_IDENTITIES)).isEqualTo("u" + Authentication.MAX_IDENTITIES);
    }

    @Test
    void shouldTakeLargeFramesOnlyOnceBound() {
        Authentication authentication = Authentication.ofClients(tokens, behind);
        Failed large = new Failed(ErrorCode.UNSUPPORTED, "x".repeat(Transport.MAX_FRAME_UNAUTHENTICATED));
        Connection early = connect(authentication);
        Connection bound = connect(authentication);
        bound.markAuthenticated();
        ask(bound, bind(ANN));

        assertThat(ask(bound, large)).isEqualTo(large);
        early.request(large, PATIENCE);

        assertClosed(early);
        assertThat(bound.isOpen()).isTrue();
    }

    @Test
    void shouldShowTheHandlerBehindTheConnectionItself() {
        Authentication authentication = Authentication.ofClients(tokens, behind);
        List<Connection> accepted = new CopyOnWriteArrayList<>();
        Connection connection = connect((raw, message, reply) -> {
            accepted.add(raw);
            authentication.request(raw, message, reply);
        });
        ask(connection, bind(ANN));
        Connection raw = accepted.get(0);
        Connection seen = opened.get(0);

        assertThat(seen.id()).isEqualTo(raw.id());
        assertThat(seen.remoteAddress()).isEqualTo(raw.remoteAddress());
        assertThat(seen.isOpen()).isTrue();
        CompletableFuture<Message> asked = seen.request(Done.DONE, PATIENCE).toCompletableFuture();
        await().until(() -> seen.inFlight() == 1);

        seen.close();

        assertClosed(connection);
        assertThat(asked).failsWithin(HOUR);
        await().until(() -> !seen.isOpen());
        assertThat(seen.closed().toCompletableFuture()).succeedsWithin(HOUR);
    }

    @Test
    void shouldBelieveEverybodyWhenInsecure() {
        Tokens insecure = Tokens.insecure();
        Connection connection = connect(Authentication.ofClients(insecure, behind));

        assertThat(ask(connection, new Bind(insecure.mint(BOB, Role.CLIENT, HOUR))))
                .isEqualTo(new Bound(1));
        assertThat(whoIs(connection, 1)).isEqualTo("bob");
    }
}
