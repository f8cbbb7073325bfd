package io.lambdafs.coordinator.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.ConnectionRefusedException;
import io.lambdafs.rpc.ConnectionState;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.ServiceProof;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Proof;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The way to another instance, over connections that a test opens, answers and breaks. */
class PeerTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int MAX_WAITING = 4_096;
    private static final Acknowledgement ACK = new Acknowledgement(7, true);
    private static final Message MESSAGE = Done.DONE;
    private static final Peer.Address ADDRESS = new Peer.Address("127.0.0.1", 7, "i7");

    private final ManualScheduler clock = new ManualScheduler();
    private final Dialler dialler = new Dialler();
    private final Peer peer = peer(false);

    private Peer peer(boolean sameMachine) {
        return new Peer(ADDRESS, sameMachine, dialler, clock, new ServiceProof(Tokens.insecure()));
    }

    private static final class Dialler implements Transport {
        final List<CompletableFuture<Connection>> dialled = new ArrayList<>();
        final List<ConnectionHandler> handlers = new ArrayList<>();

        @Override
        public CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler) {
            assertThat(address.getHostString() + ":" + address.getPort()).isEqualTo("127.0.0.1:7");
            CompletableFuture<Connection> connection = new CompletableFuture<>();
            dialled.add(connection);
            handlers.add(handler);
            return connection;
        }

        /** The connection that was dialled last stands. */
        Line opens() {
            Line line = new Line();
            dialled.get(dialled.size() - 1).complete(line);
            return line;
        }

        @Override
        public CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    /** One end of a connection whose other end believes every proof. */
    private static final class Line extends ConnectionState {
        final List<CompletableFuture<Message>> asked = new ArrayList<>();
        final List<Long> limits = new ArrayList<>();
        /** Instead of the answer to a proof; null for a good one. */
        @Nullable
        CompletableFuture<Message> proved;

        Line() {
            super(1);
        }

        @Override
        public CompletionStage<Message> request(Message message, long timeoutNanos) {
            if (message instanceof Proof proof) {
                CompletableFuture<Message> instead = proved;
                boolean first = !isAuthenticated();
                markAuthenticated();
                return instead != null
                        ? instead
                        : CompletableFuture.completedFuture(first ? new Proof("0", proof.proof()) : Done.DONE);
            }
            CompletableFuture<Message> answer = new CompletableFuture<>();
            asked.add(answer);
            limits.add(timeoutNanos);
            return answer;
        }

        @Override
        public SocketAddress remoteAddress() {
            return InetSocketAddress.createUnresolved("peer", 7);
        }

        @Override
        public int inFlight() {
            return 0;
        }

        @Override
        public void close() {
            markClosed();
        }
    }

    private CompletableFuture<Acknowledgement> send() {
        return send(peer);
    }

    private static CompletableFuture<Acknowledgement> send(Peer to) {
        return to.send(MESSAGE, SECOND).toCompletableFuture();
    }

    private static FsException failure(CompletableFuture<?> answer) {
        assertThat(answer).isDone();
        try {
            throw new AssertionError("got " + answer.join());
        } catch (CompletionException e) {
            return FsException.of(e);
        }
    }

    private static FsException lost() {
        return new FsException(ErrorCode.CONNECTION_LOST, "broken");
    }

    @Test
    void shouldOpenOneConnectionAndSendAllOverIt() {
        CompletableFuture<Acknowledgement> first = send();
        CompletableFuture<Acknowledgement> second = send();
        assertThat(dialler.dialled).hasSize(1);
        clock.advance(SECOND / 10);
        Line line = dialler.opens();
        assertThat(line.limits).containsExactly(SECOND - SECOND / 10, SECOND - SECOND / 10);
        line.asked.forEach(answer -> answer.complete(ACK));
        assertThat(first).isCompletedWithValue(ACK);
        assertThat(second).isCompletedWithValue(ACK);

        CompletableFuture<Acknowledgement> third = send();
        assertThat(line.limits.get(2)).isEqualTo(SECOND);
        line.asked.get(2).complete(ACK);
        assertThat(third).isCompletedWithValue(ACK);
        assertThat(dialler.dialled).hasSize(1);
        assertThat(clock.timers()).as("timers left").isZero();
    }

    @Test
    void shouldAnswerInTimeWhileItDials() {
        CompletableFuture<Acknowledgement> answer = send();
        clock.advance(SECOND - 1);
        assertThat(answer).isNotDone();
        clock.advance(1);
        assertThat(failure(answer).code()).isEqualTo(ErrorCode.TIMED_OUT);
        Line line = dialler.opens();
        assertThat(line.limits).containsExactly(1L);
    }

    @Test
    void shouldSendAgainOverANewConnectionWithWhatIsLeftOfTheTime() {
        send();
        Line line = dialler.opens();
        CompletableFuture<Acknowledgement> answer = send();
        clock.advance(SECOND / 4);
        line.close();
        line.asked.get(1).completeExceptionally(lost());
        assertThat(dialler.dialled).hasSize(2);
        Line next = dialler.opens();
        assertThat(next.limits).containsExactly(SECOND - SECOND / 4);
        next.asked.get(0).complete(ACK);
        assertThat(answer).isCompletedWithValue(ACK);
    }

    @Test
    void shouldNotSendAgainWhenTheTimeIsOver() {
        send();
        Line line = dialler.opens();
        CompletableFuture<Acknowledgement> answer = send();
        clock.advance(SECOND);
        line.close();
        line.asked.get(1).completeExceptionally(lost());
        assertThat(failure(answer).code()).isEqualTo(ErrorCode.TIMED_OUT);
        assertThat(dialler.dialled).hasSize(1);
    }

    @Test
    void shouldFailAsTheConnectionDoes() {
        send();
        Line line = dialler.opens();
        CompletableFuture<Acknowledgement> answer = send();
        line.asked.get(1).completeExceptionally(new FsException(ErrorCode.OVERLOADED, "too many"));
        assertThat(failure(answer).code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(dialler.dialled).hasSize(1);

        CompletableFuture<Acknowledgement> refused = send();
        line.asked.get(2).complete(new Failed(ErrorCode.NOT_READY, "leaving"));
        assertThat(failure(refused).code()).isEqualTo(ErrorCode.NOT_READY);
        CompletableFuture<Acknowledgement> strange = send();
        line.asked.get(3).complete(Done.DONE);
        assertThat(failure(strange).code()).isEqualTo(ErrorCode.INTERNAL);
    }

    @Test
    void shouldSayWhatWasRefusedOverAConnectionThatHadToBeOpened() {
        CompletableFuture<Acknowledgement> answer = send();
        dialler.opens().asked.get(0).complete(new Failed(ErrorCode.NOT_READY, "leaving"));
        assertThat(failure(answer).code()).isEqualTo(ErrorCode.NOT_READY);
    }

    @Test
    void shouldLetSoManyWaitForAConnectionAndNoMore() {
        for (int i = 0; i < MAX_WAITING; i++) {
            assertThat(send()).isNotDone();
        }
        assertThat(failure(send()).code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(failure(send()).code()).isEqualTo(ErrorCode.OVERLOADED);
        clock.advance(SECOND);
        for (int i = 0; i < MAX_WAITING; i++) {
            assertThat(send()).isNotDone();
        }
    }

    @Test
    void shouldTellARefusedConnectionFromOthersOnTheSameMachine() {
        FsException refused = FsException.unavailable("nobody", new ConnectionRefusedException("refused"));
        CompletableFuture<Acknowledgement> elsewhere = send();
        dialler.dialled.get(0).completeExceptionally(refused);
        assertThat(failure(elsewhere).code()).isEqualTo(ErrorCode.UNAVAILABLE);

        CompletableFuture<Acknowledgement> here = send(peer(true));
        dialler.dialled.get(1).completeExceptionally(refused);
        assertThat(here).isCompletedWithValue(Acknowledgement.GONE);

        CompletableFuture<Acknowledgement> hangs = send(peer(true));
        dialler.dialled.get(2).completeExceptionally(FsException.unavailable("no answer"));
        assertThat(failure(hangs).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void shouldDialAgainAfterItCouldNot() {
        send();
        dialler.dialled.get(0).completeExceptionally(lost());
        CompletableFuture<Acknowledgement> answer = send();
        dialler.opens().asked.get(0).complete(ACK);
        assertThat(answer).isCompletedWithValue(ACK);
    }

    @Test
    void shouldCloseAConnectionWhoseOtherEndDoesNotProveItself() {
        CompletableFuture<Acknowledgement> answer = send();
        Line line = new Line();
        line.proved = CompletableFuture.completedFuture(new Failed(ErrorCode.UNAUTHENTICATED, "no"));
        dialler.dialled.get(0).complete(line);
        assertThat(failure(answer).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(line.isOpen()).isFalse();
        assertThat(clock.timers()).isZero();
    }

    @Test
    void shouldWaitForAProofNoLongerThanFiveSeconds() {
        CompletableFuture<Acknowledgement> answer =
                peer.send(MESSAGE, 60 * SECOND).toCompletableFuture();
        Line line = new Line();
        line.proved = new CompletableFuture<>();
        dialler.dialled.get(0).complete(line);
        clock.advance(5 * SECOND - 1);
        assertThat(answer).isNotDone();
        clock.advance(1);
        assertThat(failure(answer).code()).isEqualTo(ErrorCode.TIMED_OUT);
        assertThat(line.isOpen()).isFalse();
    }

    @Test
    void shouldCloseWhatStandsAndDialNoMore() {
        send();
        Line line = dialler.opens();
        peer.close();
        assertThat(line.isOpen()).isFalse();
        assertThat(failure(send()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(dialler.dialled).hasSize(1);
    }

    @Test
    void shouldCloseAConnectionThatOpensAfterItWasClosed() {
        CompletableFuture<Acknowledgement> answer = send();
        peer.close();
        Line line = dialler.opens();
        assertThat(line.isOpen()).isFalse();
        assertThat(failure(answer).code()).isEqualTo(ErrorCode.TIMED_OUT);
        assertThat(line.asked).isEmpty();
    }

    @Test
    void shouldAnswerNothingItself() {
        send();
        Line line = dialler.opens();
        List<Message> answers = new ArrayList<>();
        dialler.handlers.get(0).request(line, MESSAGE, answers::add);
        assertThat(answers)
                .singleElement()
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNSUPPORTED));
    }

    @Test
    void shouldBeAnotherAddressInEachPart() {
        Peer.Address same = new Peer.Address("127.0.0.1", 7, "i7");
        assertThat(same).isEqualTo(ADDRESS).hasSameHashCodeAs(ADDRESS);
        assertThat(ADDRESS)
                .isNotEqualTo(new Peer.Address("127.0.0.2", 7, "i7"))
                .isNotEqualTo(new Peer.Address("127.0.0.1", 8, "i7"))
                .isNotEqualTo(new Peer.Address("127.0.0.1", 7, "i8"))
                .isNotEqualTo("i7");
    }
}
