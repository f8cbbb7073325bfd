package io.lambdafs.client.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.ClientFixture;
import io.lambdafs.client.block.MemoryDatanodes;
import io.lambdafs.client.config.ClientConfig.TcpUse;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Register;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server that instances dial, by connections in memory. */
@Tag("once")
class TcpServerTest {
    private static final int PORT = 4_711;
    private static final Duration RETIRED = Duration.ofSeconds(5);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final MemoryDatanodes connections = new MemoryDatanodes();
    private final CompletableFuture<Transport.Listener> bound = new CompletableFuture<>();
    private final List<String> told = new ArrayList<>();
    private boolean stopped;
    private int dialled;

    private final TcpServer server = TcpServer.start(
            new TcpServer.Context(
                    scheduler,
                    new Transport() {
                        @Override
                        public CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler) {
                            return bound;
                        }

                        @Override
                        public CompletionStage<Connection> connect(
                                InetSocketAddress address, ConnectionHandler handler) {
                            throw new UnsupportedOperationException();
                        }

                        @Override
                        public void close() {}
                    },
                    ManualScheduler.seeded(3),
                    new TcpServer.Listener() {
                        @Override
                        public void connected(int deployment) {
                            told.add("+" + deployment);
                        }

                        @Override
                        public void disconnected(int deployment) {
                            told.add("-" + deployment);
                        }
                    }),
            TcpUse.DEFAULT);

    private void listens() {
        bound.complete(new Transport.Listener() {
            @Override
            public InetSocketAddress address() {
                return new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT);
            }

            @Override
            public void close() {
                stopped = true;
            }
        });
    }

    private MemoryDatanodes.Line open() {
        MemoryDatanodes.Line line = connections.line(++dialled);
        server.opened(line);
        return line;
    }

    private Message says(MemoryDatanodes.Line line, Message message) {
        List<Message> answers = new ArrayList<>();
        server.request(line, message, answers::add);
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    private Register registration(int deployment, String instance) {
        return new Register(deployment, instance, 1, server.offer(deployment).registration());
    }

    /** A connection on which an instance has registered. */
    private MemoryDatanodes.Line dial(int deployment, String instance) {
        MemoryDatanodes.Line line = open();
        assertThat(says(line, registration(deployment, instance))).isEqualTo(Done.DONE);
        return line;
    }

    private static void assertRefused(Message answer, ErrorCode code) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(code));
    }

    private Connection connectionOf(String instance) {
        InstanceConnection found = server.table().of(0, instance);
        return found == null ? null : found.connection();
    }

    @Test
    void shouldOfferWhereItListens() {
        assertThat(server.isListening()).isFalse();
        assertThat(server.listening().toCompletableFuture()).isNotDone();
        listens();
        assertThat(server.isListening()).isTrue();
        assertThat(server.offer(0).port()).isEqualTo(PORT);
    }

    @Test
    void shouldSayWhyItDoesNotListen() {
        bound.completeExceptionally(FsException.unavailable("port 7 is taken"));

        FsException why = ClientFixture.failure(server.listening());

        assertThat(why.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(why).hasMessageContaining("port 7 is taken");
        assertThat(server.isListening()).isFalse();
    }

    @Test
    void shouldCloseTheOldConnectionOfAnInstanceThatHasDialledAgainOnceItsRepliesHaveCome() {
        MemoryDatanodes.Line old = dial(0, "i");
        MemoryDatanodes.Line other = dial(0, "j");
        MemoryDatanodes.Line next = dial(0, "i");

        assertThat(connectionOf("i")).isSameAs(next);
        assertThat(told).containsExactly("+0", "+0", "+0", "-0");
        scheduler.advance(RETIRED.minusNanos(1));
        assertThat(old.isOpen()).isTrue();
        scheduler.advance(1);
        assertThat(old.isOpen()).isFalse();
        assertThat(next.isOpen()).isTrue();
        assertThat(other.isOpen()).isTrue();
    }

    @Test
    void shouldForgetAConnectionThatCloses() {
        MemoryDatanodes.Line line = dial(0, "i");

        server.closed(line);
        server.closed(line);

        assertThat(connectionOf("i")).isNull();
        assertThat(told).containsExactly("+0", "-0");
    }

    @Test
    void shouldTakeAnInstanceThatHangsOutOfService() {
        MemoryDatanodes.Line line = dial(0, "i");

        server.giveUp(server.table().of(0, "i"));

        assertThat(line.isOpen()).isFalse();
        assertThat(connectionOf("i")).isNull();
        assertThat(told).containsExactly("+0", "-0");
    }

    @Test
    void shouldKeepFewConnectionsThatHaveNotRegistered() {
        MemoryDatanodes.Line first = open();
        for (int i = 1; i < TcpServer.MAX_UNREGISTERED; i++) {
            assertThat(open().isOpen()).isTrue();
        }
        MemoryDatanodes.Line oneTooMany = open();
        assertThat(oneTooMany.isOpen()).isFalse();
        server.closed(oneTooMany);

        assertThat(says(first, registration(0, "i"))).isEqualTo(Done.DONE);

        MemoryDatanodes.Line next = open();
        assertThat(next.isOpen()).isTrue();
        assertThat(open().isOpen()).isFalse();
    }

    @Test
    void shouldKeepSoManyConnectionsOfADeployment() {
        for (int i = 0; i < ConnectionTable.MAX_PER_DEPLOYMENT; i++) {
            assertThat(dial(0, "i" + i).isOpen()).isTrue();
        }

        assertThat(dial(0, "another").isOpen()).isFalse();
        assertThat(connectionOf("another")).isNull();
        assertThat(dial(1, "elsewhere").isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, 1_000_000})
    void shouldCloseWhatRegistersForAnotherDeployment(int deployment) {
        MemoryDatanodes.Line line = open();
        String registration = server.offer(0).registration();

        assertRefused(says(line, new Register(deployment, "i", 1, registration)), ErrorCode.UNAUTHENTICATED);

        assertThat(line.isOpen()).isFalse();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldTakeTheRegistrationOfABorrowersCallAndNoneThatWasWithdrawn() {
        TcpOffer offer = server.offer(0);
        server.withdraw(offer);
        assertRefused(says(open(), new Register(0, "i", 1, offer.registration())), ErrorCode.UNAUTHENTICATED);

        server.expect(0, offer.registration());
        assertThat(says(open(), new Register(0, "i", 1, offer.registration()))).isEqualTo(Done.DONE);
    }

    @Test
    void shouldTakeOneRegistrationOfAConnectionAndNothingElse() {
        MemoryDatanodes.Line line = open();
        assertRefused(says(line, Done.DONE), ErrorCode.UNSUPPORTED);
        assertThat(says(line, registration(0, "i"))).isEqualTo(Done.DONE);

        assertRefused(says(line, registration(0, "i")), ErrorCode.INVALID_ARGUMENT);
        assertThat(line.isOpen()).isFalse();
    }

    @Test
    void shouldEndWithItsConnections() {
        listens();
        MemoryDatanodes.Line line = dial(0, "i");
        MemoryDatanodes.Line late = open();

        server.close();

        assertThat(stopped).isTrue();
        assertThat(line.isOpen()).isFalse();
        assertRefused(says(late, registration(0, "j")), ErrorCode.UNAVAILABLE);
        assertThat(late.isOpen()).isFalse();
    }

    @Test
    void shouldNotListenOnWhereItWasClosedBefore() {
        server.close();
        listens();

        assertThat(stopped).isTrue();
    }
}
