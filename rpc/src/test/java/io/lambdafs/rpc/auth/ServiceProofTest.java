package io.lambdafs.rpc.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Timeouts;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Proof;
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

class ServiceProofTest {
    private static final long PATIENCE = PatientWaits.PATIENCE.toNanos();

    private final ServiceProof proof = new ServiceProof(Tokens.signed(Secret.generate()));
    private final ServiceProof foreign = new ServiceProof(Tokens.signed(Secret.generate()));
    /** It closes nobody for want of a proof, so that whom the tests see closed was refused. */
    private final Transport transport = new NettyTransport(
            RpcMessages.codec(), 1, "test-proof", Timeouts.proof(TransportLimits.DEFAULT, Duration.ofHours(1)));

    private final List<Connection> opened = new CopyOnWriteArrayList<>();
    private final List<Connection> closed = new CopyOnWriteArrayList<>();

    /** Answers what it is asked. */
    private final ConnectionHandler behind = new ConnectionHandler() {
        @Override
        public void opened(Connection connection) {
            opened.add(connection);
        }

        @Override
        public void request(Connection connection, Message message, Consumer<Message> reply) {
            reply.accept(message);
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

    private Connection connect(ConnectionHandler listens) {
        Transport.Listener listener = transport
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), listens)
                .toCompletableFuture()
                .join();
        return transport
                .connect(listener.address(), (connection, message, reply) -> {})
                .toCompletableFuture()
                .join();
    }

    private static CompletableFuture<Connection> give(ServiceProof own, Connection connection, String service) {
        return own.give(connection, service, PATIENCE).toCompletableFuture();
    }

    private static Message ask(Connection connection, Message message) {
        return connection.request(message, PATIENCE).toCompletableFuture().join();
    }

    private static void assertRefused(Message reply) {
        assertThat(reply)
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
    }

    private static void assertNotIt(CompletableFuture<Connection> given) {
        assertThatThrownBy(given::join)
                .cause()
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    }

    @Test
    void shouldLetThroughWhoHoldsTheSameSecret() {
        Connection connection = connect(proof.door(() -> "store", behind));

        assertThat(give(proof, connection, "store").join()).isSameAs(connection);

        assertThat(ask(connection, Done.DONE)).isEqualTo(Done.DONE);
        assertThat(opened)
                .singleElement()
                .satisfies(each -> assertThat(each.isAuthenticated()).isTrue());
        connection.close();
        await().until(() -> closed.equals(opened));
    }

    @Test
    void shouldRefuseWhateverElseIsSaidFirst() {
        Connection connection = connect(proof.door(() -> "store", behind));

        assertRefused(ask(connection, Done.DONE));

        await().until(() -> !connection.isOpen());
        assertThat(opened).isEmpty();
        assertThat(closed).isEmpty();
    }

    @Test
    void shouldProveNothingToAListenerOfAnotherClusterOrName() {
        assertNotIt(give(proof, connect(foreign.door(() -> "store", behind)), "store"));
        assertNotIt(give(proof, connect(proof.door(() -> "another", behind)), "store"));
        assertThat(opened).isEmpty();
    }

    @Test
    void shouldRefuseAProofThatIsWrongOrOfAnotherConnection() {
        ConnectionHandler door = proof.door(() -> "store", behind);
        List<Proof> sent = new CopyOnWriteArrayList<>();
        Connection honest = connect(door);
        // In the middle of two ends that trust each other, it sees all that they say.
        give(
                        proof,
                        connect((connection, message, reply) -> {
                            sent.add((Proof) message);
                            honest.request(message, PATIENCE).thenAccept(reply);
                        }),
                        "store")
                .join();

        for (String tried : List.of("", "0", sent.get(1).proof())) {
            Connection connection = connect(door);
            assertThat(ask(connection, sent.get(0))).isInstanceOf(Proof.class);
            assertRefused(ask(connection, new Proof(sent.get(1).nonce(), tried)));
            await().until(() -> !connection.isOpen());
        }
        assertThat(opened).hasSize(1);
    }

    @Test
    void shouldNotTakeTheListenersOwnProofForTheDiallers() {
        Connection connection = connect(proof.door(() -> "store", behind));
        Proof theirs = (Proof) ask(connection, new Proof("mine", ""));

        assertRefused(ask(connection, new Proof("mine", theirs.proof())));
    }

    @Test
    void shouldTakeLargeFramesFromEachOtherOnceBothHaveProvedThemselves() {
        Connection connection = connect(proof.door(() -> "store", behind));
        give(proof, connection, "store").join();
        Failed large = new Failed(ErrorCode.UNSUPPORTED, "x".repeat(Transport.MAX_FRAME_UNAUTHENTICATED));

        assertThat(ask(connection, large)).isEqualTo(large);
    }

    @Test
    void shouldTakeNoncesUpToTheirLongest() {
        ConnectionHandler door = proof.door(() -> "store", behind);
        String longest = "n".repeat(64);
        Connection refused = connect(door);

        assertThat(ask(connect(door), new Proof(longest, ""))).isInstanceOf(Proof.class);
        assertRefused(ask(refused, new Proof(longest + "n", "")));
        await().until(() -> !refused.isOpen());
        ServiceProof insecure = new ServiceProof(Tokens.insecure());
        assertThat(give(insecure, connect(answersWithNonce(longest)), "store").join())
                .isNotNull();
        assertNotIt(give(insecure, connect(answersWithNonce(longest + "n")), "store"));
    }

    private static ConnectionHandler answersWithNonce(String nonce) {
        boolean[] asked = {false};
        return (connection, message, reply) -> {
            reply.accept(asked[0] ? Done.DONE : new Proof(nonce, ""));
            asked[0] = true;
        };
    }

    @Test
    void shouldSayAsTheServiceDoesWhyItRefusesAProof() {
        Failed why = new Failed(ErrorCode.OVERLOADED, "not now");
        CompletableFuture<Connection> refused = give(proof, connect(provesAndThenAnswers(why)), "store");

        assertThatThrownBy(refused::join)
                .cause()
                .hasMessage("not now")
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
        assertNotIt(give(proof, connect(provesAndThenAnswers(new Proof("", ""))), "store"));
    }

    /** A service that proves itself, and answers this to the proof of the one that dialled. */
    private ConnectionHandler provesAndThenAnswers(Message answer) {
        ConnectionHandler door = proof.door(() -> "store", behind);
        return (connection, message, reply) -> {
            if (message instanceof Proof first && first.proof().isEmpty()) {
                door.request(connection, message, reply);
            } else {
                reply.accept(answer);
            }
        };
    }

    @Test
    void shouldBelieveEverybodyWhenInsecure() {
        ServiceProof insecure = new ServiceProof(Tokens.insecure());
        Connection connection = connect(insecure.door(() -> "store", behind));

        give(insecure, connection, "another").join();

        assertThat(ask(connection, Done.DONE)).isEqualTo(Done.DONE);
    }
}
