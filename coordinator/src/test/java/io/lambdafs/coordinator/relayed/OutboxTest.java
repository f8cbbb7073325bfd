package io.lambdafs.coordinator.relayed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.Member;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which messages go into which letter, and when one is taken back. */
class OutboxTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long BOX = 7;
    private static final int MAX_UNANSWERED = 4_096;
    private static final int MAX_BATCH = 512;
    private static final Acknowledgement ACK = new Acknowledgement(7, true);
    private static final byte[] SMALL = Letters.write(new Greeting(new Member(9, 0, "asks", "127.0.0.1", 4_711, true)));

    private final ManualScheduler clock = new ManualScheduler();
    private final List<Posted> posted = new ArrayList<>();
    private final List<Mailboxes.Letter> removed = new ArrayList<>();
    private int names;
    private final Outbox outbox = new Outbox(BOX, new Boxes(), clock, () -> "letter-" + ++names);

    /** A letter that is being posted, or has been. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Posted(
            Mailboxes.Letter letter, byte[] content, CompletableFuture<Void> there, CompletableFuture<byte[]> answer) {
        /** How many messages it has. */
        int messages() {
            return content[1] & 0xff;
        }
    }

    private final class Boxes implements Mailboxes {
        @Override
        public CompletionStage<Void> post(Letter letter, byte[] content) {
            posted.add(new Posted(letter, content, new CompletableFuture<>(), new CompletableFuture<>()));
            return last().there();
        }

        @Override
        public CompletionStage<byte[]> answer(Letter letter) {
            return posted.stream()
                    .filter(each -> each.letter().equals(letter))
                    .findFirst()
                    .orElseThrow()
                    .answer();
        }

        @Override
        public void remove(Letter letter) {
            removed.add(letter);
        }

        @Override
        public void follow(Set<Long> boxes, Reader reader) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> reply(Letter letter, byte[] answer) {
            throw new UnsupportedOperationException();
        }
    }

    private Posted last() {
        return posted.get(posted.size() - 1);
    }

    private CompletableFuture<Acknowledgement> send(byte[] message, boolean alone) {
        return outbox.send(message, alone, SECOND).toCompletableFuture();
    }

    private CompletableFuture<Acknowledgement> send() {
        return send(SMALL, false);
    }

    private List<CompletableFuture<Acknowledgement>> send(int count) {
        List<CompletableFuture<Acknowledgement>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(send());
        }
        return all;
    }

    private static void there(Posted letter) {
        letter.there().complete(null);
    }

    private static void answer(Posted letter, @Nullable Acknowledgement... acks) {
        letter.answer().complete(Letters.answer(Arrays.asList(acks)));
    }

    private static FsException failure(CompletableFuture<?> ack) {
        assertThat(ack).isDone();
        try {
            throw new AssertionError("got " + ack.join());
        } catch (CompletionException e) {
            return FsException.of(e);
        }
    }

    private static ErrorCode code(CompletableFuture<?> ack) {
        return failure(ack).code();
    }

    private static int messages(Posted letter) {
        return Letters.readBatch(letter.content()).size();
    }

    @Test
    void shouldPostAtOnceAndGatherWhatComesMeanwhile() {
        CompletableFuture<Acknowledgement> first = send();
        List<CompletableFuture<Acknowledgement>> others = send(3);
        assertThat(posted).hasSize(1);
        assertThat(last().letter()).isEqualTo(new Mailboxes.Letter(BOX, "letter-1"));
        there(last());
        assertThat(posted).hasSize(2);
        assertThat(messages(posted.get(0))).isEqualTo(1);
        assertThat(messages(posted.get(1))).isEqualTo(3);
        there(last());
        answer(posted.get(1), ACK, ACK, new Acknowledgement(8, false));
        answer(posted.get(0), ACK);
        assertThat(first).isCompletedWithValue(ACK);
        assertThat(others.get(1)).isCompletedWithValue(ACK);
        assertThat(others.get(2)).isCompletedWithValue(new Acknowledgement(8, false));
        assertThat(removed).extracting(Mailboxes.Letter::name).containsExactly("letter-2", "letter-1");
        assertThat(clock.timers()).as("timers left").isZero();
    }

    @Test
    void shouldPutSoManyMessagesIntoALetterAndNoMore() {
        send();
        send(MAX_BATCH + 88);
        there(last());
        there(last());
        assertThat(posted).extracting(OutboxTest::messages).containsExactly(1, MAX_BATCH, 88);
    }

    @Test
    void shouldPutSoManyBytesIntoALetterAndNoMore() {
        int half = (Mailboxes.MAX_BYTES - Letters.HEADER_BYTES) / 2 - Letters.HEADER_BYTES;
        send();
        send(new byte[half], false);
        send(new byte[half], false);
        send(new byte[half], false);
        send(new byte[half + 1], false);
        there(last());
        there(last());
        there(last());
        assertThat(posted).extracting(Posted::messages).containsExactly(1, 2, 1, 1);
        assertThat(posted).allMatch(letter -> letter.content().length <= Mailboxes.MAX_BYTES);
    }

    @Test
    void shouldRefuseWhatNoLetterHolds() {
        int most = Mailboxes.MAX_BYTES - Letters.HEADER_BYTES;
        assertThat(code(send(new byte[most + 1], false))).isEqualTo(ErrorCode.BAD_FRAME);
        assertThat(posted).isEmpty();
        assertThat(send(new byte[most], false)).isNotDone();
        assertThat(last().content().length).isLessThanOrEqualTo(Mailboxes.MAX_BYTES);
    }

    @Test
    void shouldGiveALetterOfItsOwnToWhatAsksForIt() {
        send();
        send();
        send(SMALL, true);
        send(SMALL, true);
        send(2);
        there(last());
        there(last());
        there(last());
        there(last());
        assertThat(posted).extracting(OutboxTest::messages).containsExactly(1, 1, 1, 1, 2);
    }

    @Test
    void shouldLetSoManyBeUnansweredAndNoMore() {
        List<CompletableFuture<Acknowledgement>> all = send(MAX_UNANSWERED);
        assertThat(all).noneMatch(CompletableFuture::isDone);
        assertThat(code(send())).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(code(send())).isEqualTo(ErrorCode.OVERLOADED);
        there(last());
        answer(posted.get(0), ACK);
        assertThat(all.get(0)).isCompletedWithValue(ACK);
        assertThat(send()).isNotDone();
        assertThat(code(send())).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void shouldTellWhatWasNotAnsweredFromWhatWasNotSent() {
        CompletableFuture<Acknowledgement> sent = send();
        there(last());
        CompletableFuture<Acknowledgement> posting = send();
        CompletableFuture<Acknowledgement> waiting = send();
        clock.advance(SECOND - 1);
        assertThat(List.of(sent, posting, waiting)).noneMatch(CompletableFuture::isDone);
        clock.advance(1);
        assertThat(code(sent)).isEqualTo(ErrorCode.TIMED_OUT);
        assertThat(code(posting)).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(code(waiting)).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(removed).extracting(Mailboxes.Letter::name).containsExactly("letter-1");

        there(last());
        assertThat(removed).extracting(Mailboxes.Letter::name).contains("letter-2");
        assertThat(posted).as("what was given up is not sent any more").hasSize(2);
    }

    @Test
    void shouldGoOnAfterALetterThatCouldNotBePosted() {
        CompletableFuture<Acknowledgement> first = send();
        CompletableFuture<Acknowledgement> second = send();
        last().there().completeExceptionally(FsException.unavailable("no such box"));
        assertThat(code(first)).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(failure(first)).hasMessageContaining("no such box");
        there(last());
        answer(last(), ACK);
        assertThat(second).isCompletedWithValue(ACK);
    }

    @Test
    void shouldFailWhatTheOtherCouldNotHandle() {
        send();
        CompletableFuture<Acknowledgement> refused = send();
        CompletableFuture<Acknowledgement> missing = send();
        there(last());
        there(last());
        answer(last(), (Acknowledgement) null);
        assertThat(code(refused)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(code(missing)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(removed).extracting(Mailboxes.Letter::name).containsExactly("letter-2");
    }

    @Test
    void shouldFailOnAnAnswerThatItCannotRead() {
        CompletableFuture<Acknowledgement> ack = send();
        there(last());
        last().answer().complete(new byte[] {99});
        assertThat(code(ack)).isEqualTo(ErrorCode.BAD_FRAME);
        assertThat(Collections.frequency(removed, last().letter())).isEqualTo(1);
    }
}
