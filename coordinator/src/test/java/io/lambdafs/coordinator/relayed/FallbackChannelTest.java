package io.lambdafs.coordinator.relayed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scope;
import io.lambdafs.model.testkit.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Who is asked when by which of two channels, and whose answer counts. */
class FallbackChannelTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Member TARGET = new Member(7, 0, "i7", "h", 1, true);
    private static final Acknowledgement ACK = new Acknowledgement(7, true);
    private static final Acknowledgement OTHER = new Acknowledgement(8, true);
    private static final Invalidation INVALIDATION = new Invalidation(1, Scope.NONE, List.of());

    private final ManualScheduler clock = new ManualScheduler();
    private final List<String> story = new ArrayList<>();
    private final Way first = new Way("first");
    private final Way second = new Way("second");
    private final FallbackChannel channel = new FallbackChannel(first, second, clock);

    private final class Way implements InvalidationChannel {
        final List<Long> limits = new ArrayList<>();
        final List<CompletableFuture<Acknowledgement>> asked = new ArrayList<>();
        private final String name;

        Way(String name) {
            this.name = name;
        }

        CompletableFuture<Acknowledgement> last() {
            return asked.get(asked.size() - 1);
        }

        private CompletionStage<Acknowledgement> ask(long timeoutNanos) {
            limits.add(timeoutNanos);
            asked.add(new CompletableFuture<>());
            return last();
        }

        @Override
        public CompletionStage<Endpoint> open(InvalidationChannel.Receiver receiver) {
            story.add("open " + name);
            return CompletableFuture.completedFuture(new Endpoint(name, 1));
        }

        @Override
        public CompletionStage<Acknowledgement> invalidate(
                Member target, Invalidation invalidation, long timeoutNanos) {
            assertThat(invalidation).isSameAs(INVALIDATION);
            return ask(timeoutNanos);
        }

        @Override
        public CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos) {
            story.add("greet " + name);
            return ask(timeoutNanos);
        }

        @Override
        public void retain(View view) {
            story.add("retain " + name);
        }

        @Override
        public void close() {
            story.add("close " + name);
        }
    }

    private CompletableFuture<Acknowledgement> send() {
        return channel.invalidate(TARGET, INVALIDATION, SECOND).toCompletableFuture();
    }

    private static FsException failed(ErrorCode code) {
        return new FsException(code, "says the test");
    }

    private static ErrorCode code(CompletableFuture<?> ack) {
        assertThat(ack).isDone();
        try {
            throw new AssertionError("got " + ack.join());
        } catch (CompletionException e) {
            return FsException.of(e).code();
        }
    }

    /** The member is known to answer by the second channel only. */
    private void cutOff() {
        send();
        first.last().completeExceptionally(failed(ErrorCode.UNAVAILABLE));
        second.last().complete(ACK);
    }

    @Test
    void shouldAskByTheFirstAloneAsLongAsItAnswers() {
        CompletableFuture<Acknowledgement> ack = send();
        assertThat(first.limits).containsExactly(SECOND);
        clock.advance(SECOND / 2 - 1);
        first.last().complete(ACK);
        assertThat(ack).isCompletedWithValue(ACK);
        assertThat(clock.timers()).isZero();
        clock.advance(SECOND);
        assertThat(second.asked).isEmpty();
    }

    @Test
    void shouldAskByTheSecondTooAfterHalfOfTheTime() {
        CompletableFuture<Acknowledgement> ack = send();
        clock.advance(SECOND / 2);
        assertThat(second.limits).containsExactly(SECOND - SECOND / 2);
        second.last().complete(ACK);
        assertThat(ack).isCompletedWithValue(ACK);

        CompletableFuture<Acknowledgement> slow = send();
        first.last().complete(OTHER);
        assertThat(slow).as("the first counts, whichever it is").isCompletedWithValue(OTHER);
    }

    @Test
    void shouldAskByTheSecondAtOnceWhereTheFirstFails() {
        CompletableFuture<Acknowledgement> ack = send();
        clock.advance(SECOND / 10);
        first.last().completeExceptionally(failed(ErrorCode.CONNECTION_LOST));
        assertThat(second.limits).containsExactly(SECOND - SECOND / 10);
        assertThat(ack).isNotDone();
        clock.advance(SECOND);
        assertThat(second.asked).as("once").hasSize(1);
        second.last().complete(ACK);
        assertThat(ack).isCompletedWithValue(ACK);
    }

    @Test
    void shouldFailAtOnceWhereNothingWasSent() {
        for (ErrorCode code : List.of(ErrorCode.OVERLOADED, ErrorCode.BAD_FRAME)) {
            CompletableFuture<Acknowledgement> ack = send();
            first.last().completeExceptionally(failed(code));
            assertThat(code(ack)).isEqualTo(code);
        }
        clock.advance(SECOND);
        assertThat(second.asked).isEmpty();
    }

    @Test
    void shouldFailAsTheFirstDidWhereBothHaveFailed() {
        CompletableFuture<Acknowledgement> ack = send();
        clock.advance(SECOND / 2);
        second.last().completeExceptionally(failed(ErrorCode.TIMED_OUT));
        assertThat(ack).isNotDone();
        first.last().completeExceptionally(failed(ErrorCode.CONNECTION_LOST));
        assertThat(code(ack)).isEqualTo(ErrorCode.CONNECTION_LOST);
    }

    @Test
    void shouldFailAsNotSentWhereTheSecondCouldNotSend() {
        CompletableFuture<Acknowledgement> ack = send();
        first.last().completeExceptionally(failed(ErrorCode.CONNECTION_LOST));
        second.last().completeExceptionally(failed(ErrorCode.OVERLOADED));
        assertThat(code(ack)).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void shouldAskByBothAtOnceWhoAnsweredByTheSecondOnly() {
        cutOff();
        send();
        assertThat(second.asked).hasSize(2);
        assertThat(second.limits.get(1)).isEqualTo(SECOND);
        second.last().complete(ACK);
        // It answers by the first again, though late.
        first.last().complete(ACK);
        send();
        assertThat(second.asked).hasSize(2);
    }

    @Test
    void shouldNotTakeAnAnswerForProofThatCameTooLateByTheSecond() {
        CompletableFuture<Acknowledgement> ack = send();
        clock.advance(SECOND / 2);
        first.last().complete(ACK);
        second.last().complete(ACK);
        assertThat(ack).isCompletedWithValue(ACK);
        send();
        assertThat(second.asked).hasSize(1);
    }

    @Test
    void shouldForgetWhoIsGone() {
        cutOff();
        channel.retain(new View(2, Map.of(7L, TARGET), Set.of()));
        send();
        assertThat(second.asked).hasSize(2);
        channel.retain(View.EMPTY);
        send();
        assertThat(second.asked).hasSize(2);
        assertThat(story).containsExactly("retain first", "retain second", "retain first", "retain second");
    }

    @Test
    void shouldGreetInTheSameWay() {
        Greeting greeting = new Greeting(TARGET);
        CompletableFuture<Acknowledgement> ack =
                channel.greet(TARGET, greeting, SECOND).toCompletableFuture();
        clock.advance(SECOND / 2);
        second.last().complete(ACK);
        assertThat(ack).isCompletedWithValue(ACK);
        assertThat(story).containsExactly("greet first", "greet second");
    }

    @Test
    void shouldOpenBothAndBeReachedByTheFirst() {
        InvalidationChannel.Endpoint endpoint =
                channel.open(new Received()).toCompletableFuture().join();
        assertThat(endpoint.host()).isEqualTo("first");
        channel.close();
        assertThat(story).containsExactly("open second", "open first", "close first", "close second");
    }

    @Test
    void shouldAskByTheSecondWhereTheFirstThrows() {
        InvalidationChannel broken = new FallbackChannel(new MisbehavingChannel(), second, clock);
        broken.invalidate(TARGET, INVALIDATION, SECOND);
        assertThat(second.asked).hasSize(1);
    }

    private static final class Received implements InvalidationChannel.Receiver {
        @Override
        public CompletionStage<Acknowledgement> invalidate(Invalidation invalidation) {
            return CompletableFuture.completedFuture(ACK);
        }

        @Override
        public CompletionStage<Acknowledgement> greet(Greeting greeting) {
            return CompletableFuture.completedFuture(ACK);
        }
    }

    private static final class MisbehavingChannel implements InvalidationChannel {
        @Override
        public CompletionStage<Endpoint> open(InvalidationChannel.Receiver receiver) {
            throw failed(ErrorCode.UNAVAILABLE);
        }

        @Override
        public CompletionStage<Acknowledgement> invalidate(
                Member target, Invalidation invalidation, long timeoutNanos) {
            throw failed(ErrorCode.UNAVAILABLE);
        }

        @Override
        public CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos) {
            throw failed(ErrorCode.UNAVAILABLE);
        }

        @Override
        public void retain(View view) {}

        @Override
        public void close() {}
    }
}
