package io.lambdafs.coordinator.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Proof;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.transports.TransportKind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two instances on this machine: {@code asks} sends, {@code answers} receives. */
@ParameterizedClass
@EnumSource
class DirectChannelTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Tokens tokens = Tokens.signed(Secret.generate());
    private final SystemScheduler scheduler = new SystemScheduler("test", 2, 1_000);
    private final TransportKind kind;
    private final Transport transport;
    private final List<InvalidationChannel> channels = new ArrayList<>();
    private final Answers answers = new Answers();

    DirectChannelTest(TransportKind kind) {
        this.kind = kind;
        transport = transport(2, "test-io");
    }

    private Transport transport(int threads, String name) {
        Codec codec = CoordinatorMessages.register(RpcMessages.register(Codec.builder()))
                .build();
        return kind.create(codec, threads, name, TransportLimits.DEFAULT);
    }

    /** Answers every INV under epoch 7, or not before it is told to. */
    private static final class Answers implements InvalidationChannel.Receiver {
        final List<Invalidation> invalidations = new CopyOnWriteArrayList<>();
        final List<Greeting> greetings = new CopyOnWriteArrayList<>();
        volatile CompletableFuture<Acknowledgement> next =
                CompletableFuture.completedFuture(new Acknowledgement(7, true));

        @Override
        public CompletionStage<Acknowledgement> invalidate(Invalidation invalidation) {
            invalidations.add(invalidation);
            return next;
        }

        @Override
        public CompletionStage<Acknowledgement> greet(Greeting greeting) {
            greetings.add(greeting);
            return CompletableFuture.completedFuture(new Acknowledgement(7, false));
        }
    }

    private DirectChannel channel(String instance, Tokens shown) {
        DirectChannel channel =
                new DirectChannel(transport, transport, shown, scheduler, DirectSettings.loopback(instance));
        channels.add(channel);
        return channel;
    }

    private Member listening(DirectChannel channel, String instance) {
        InvalidationChannel.Endpoint endpoint =
                channel.open(answers).toCompletableFuture().join();
        return new Member(7, 0, instance, endpoint.host(), endpoint.port(), true);
    }

    private static Invalidation invalidation(int number) {
        return new Invalidation(
                number,
                new Scope(List.of(FsPath.of("/a/b" + number), FsPath.ROOT), List.of(FsPath.of("/λ"))),
                List.of(FsPath.of("/p/q")));
    }

    private static void assertFails(CompletionStage<Acknowledgement> stage, ErrorCode... codes) {
        assertThatThrownBy(() -> stage.toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .satisfies(failure -> assertThat(FsException.of(failure).code()).isIn((Object[]) codes));
    }

    @AfterEach
    void close() {
        channels.forEach(InvalidationChannel::close);
        transport.close();
        scheduler.close();
    }

    @Test
    void shouldDeliverInvalidationsAndGreetingsAsTheyAre() {
        Member target = listening(channel("answers", tokens), "answers");
        DirectChannel asks = channel("asks", tokens);
        Greeting greeting = new Greeting(new Member(9, 3, "asks", "127.0.0.1", 4_711, false));

        List<CompletableFuture<Acknowledgement>> acks = IntStream.range(0, 100)
                .mapToObj(i -> asks.invalidate(target, invalidation(i), SECOND).toCompletableFuture())
                .toList();

        assertThat(acks).allSatisfy(ack -> assertThat(ack.join()).isEqualTo(new Acknowledgement(7, true)));
        assertThat(answers.invalidations)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 100)
                        .mapToObj(DirectChannelTest::invalidation)
                        .toList());
        assertThat(asks.greet(target, greeting, SECOND).toCompletableFuture().join())
                .isEqualTo(new Acknowledgement(7, false));
        assertThat(answers.greetings).containsExactly(greeting);
    }

    @Test
    void shouldTimeOutWhenNoAcknowledgementComes() {
        Member target = listening(channel("answers", tokens), "answers");
        answers.next = new CompletableFuture<>();
        DirectChannel asks = channel("asks", tokens);

        assertFails(asks.invalidate(target, invalidation(1), SECOND / 5), ErrorCode.TIMED_OUT);
        assertThat(answers.invalidations).hasSize(1);
    }

    @Test
    void shouldFailWhenNobodyListens() {
        DirectChannel gone = channel("answers", tokens);
        Member target = listening(gone, "answers");
        gone.close();

        DirectSettings elsewhere = new DirectSettings("127.0.0.1", "127.0.0.1", 0, false, "asks");
        DirectChannel asks = new DirectChannel(transport, transport, tokens, scheduler, elsewhere);
        channels.add(asks);
        assertFails(asks.invalidate(target, invalidation(1), SECOND), ErrorCode.UNAVAILABLE, ErrorCode.CONNECTION_LOST);
    }

    @Test
    void shouldKnowThatAnInstanceOfTheSameMachineHasGone() {
        DirectChannel gone = channel("answers", tokens);
        Member target = listening(gone, "answers");
        gone.close();

        assertThat(channel("asks", tokens)
                        .invalidate(target, invalidation(1), SECOND)
                        .toCompletableFuture()
                        .join())
                .isEqualTo(Acknowledgement.GONE);
    }

    @Test
    void shouldNotTakeOneThatHangsForOneThatHasGone() {
        ConnectionHandler silent = (connection, message, reply) -> {};
        Transport.Listener listener = transport
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), silent)
                .toCompletableFuture()
                .join();
        Member target =
                new Member(7, 0, "answers", "127.0.0.1", listener.address().getPort(), true);
        DirectChannel asks = channel("asks", tokens);
        CompletableFuture<Acknowledgement> hangs =
                asks.invalidate(target, invalidation(1), SECOND / 5).toCompletableFuture();
        assertFails(hangs, ErrorCode.TIMED_OUT);

        listener.close();

        await().untilAsserted(() -> assertThat(channel("later", tokens)
                        .greet(target, new Greeting(new Member(9, 3, "later", "127.0.0.1", 4_711, true)), SECOND)
                        .toCompletableFuture()
                        .join())
                .isEqualTo(Acknowledgement.GONE));
    }

    @Test
    void shouldFindOutWhenAConnectionBreaksWhetherTheOtherHasGone() {
        Transport others = transport(1, "other-io");
        DirectChannel other = new DirectChannel(others, others, tokens, scheduler, DirectSettings.loopback("answers"));
        channels.add(other);
        Member target = listening(other, "answers");
        DirectChannel asks = channel("asks", tokens);
        asks.invalidate(target, invalidation(1), SECOND).toCompletableFuture().join();
        answers.next = new CompletableFuture<>();
        CompletableFuture<Acknowledgement> waiting =
                asks.invalidate(target, invalidation(2), 10 * SECOND).toCompletableFuture();
        await().until(() -> answers.invalidations.size() == 2);

        others.close();

        assertThat(waiting.join()).isEqualTo(Acknowledgement.GONE);
    }

    @Test
    void shouldRefuseToAnswerForAnotherInstance() {
        Member target = listening(channel("newer", tokens), "older");

        assertFails(channel("asks", tokens).invalidate(target, invalidation(1), SECOND), ErrorCode.UNAVAILABLE);
        assertThat(answers.invalidations).isEmpty();
    }

    @Test
    void shouldRefuseACallerOfAnotherCluster() {
        Member target = listening(channel("answers", tokens), "answers");
        DirectChannel stranger = channel("asks", Tokens.signed(Secret.generate()));

        assertFails(
                stranger.invalidate(target, invalidation(1), SECOND), ErrorCode.UNAVAILABLE, ErrorCode.CONNECTION_LOST);
        assertThat(answers.invalidations).isEmpty();
    }

    @Test
    void shouldNotBelieveAnAnswerOfAnotherCluster() {
        // The impostor believes every proof, but cannot give one of this cluster.
        Member target = listening(channel("answers", Tokens.insecure()), "answers");

        assertFails(
                channel("asks", tokens).invalidate(target, invalidation(1), SECOND),
                ErrorCode.UNAVAILABLE,
                ErrorCode.CONNECTION_LOST);
        assertThat(answers.invalidations).isEmpty();
    }

    @Test
    void shouldNotBelieveAnAnswerWithoutAnyProof() {
        // Says yes to everything, and proves nothing.
        List<Message> shown = new CopyOnWriteArrayList<>();
        ConnectionHandler impostor = (connection, message, reply) -> {
            shown.add(message);
            if (message instanceof Proof) {
                reply.accept(shown.size() == 1 ? new Proof("0", "0") : Done.DONE);
            } else {
                reply.accept(new Acknowledgement(7, true));
            }
        };
        int port = transport
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), impostor)
                .toCompletableFuture()
                .join()
                .address()
                .getPort();
        Member target = new Member(7, 0, "answers", "127.0.0.1", port, true);

        assertFails(channel("asks", tokens).invalidate(target, invalidation(1), SECOND), ErrorCode.UNAVAILABLE);
        assertThat(shown)
                .singleElement()
                .isInstanceOfSatisfying(
                        Proof.class, first -> assertThat(first.proof()).isEmpty());
    }

    @Test
    void shouldConnectAgainAfterTheConnectionWasLost() {
        DirectChannel asks = channel("asks", tokens);
        Member target = listening(channel("answers", tokens), "answers");
        asks.invalidate(target, invalidation(1), SECOND).toCompletableFuture().join();

        asks.retain(View.EMPTY);

        await().untilAsserted(() -> assertThat(asks.invalidate(target, invalidation(2), SECOND)
                        .toCompletableFuture()
                        .join())
                .isEqualTo(new Acknowledgement(7, true)));
    }
}
