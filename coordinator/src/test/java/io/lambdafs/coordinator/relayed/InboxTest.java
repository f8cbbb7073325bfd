package io.lambdafs.coordinator.relayed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.Member;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Tests what an inbox does with a letter. */
class InboxTest {
    private static final Acknowledgement ACK = new Acknowledgement(7, true);
    private static final Mailboxes.Letter LETTER = new Mailboxes.Letter(7, "letter-1");
    private static final Invalidation INVALIDATION = new Invalidation(1, Scope.NONE, List.of());
    private static final Greeting GREETING = new Greeting(new Member(9, 0, "asks", "127.0.0.1", 4_711, true));

    private final List<CompletableFuture<Acknowledgement>> handled = new ArrayList<>();
    private final List<Object> received = new ArrayList<>();
    private final List<byte[]> replies = new ArrayList<>();
    private final List<CompletableFuture<Void>> replied = new ArrayList<>();
    private final Inbox inbox = new Inbox(new Boxes(), new Receiver());

    private final class Receiver implements InvalidationChannel.Receiver {
        private CompletionStage<Acknowledgement> take(Object message) {
            received.add(message);
            handled.add(new CompletableFuture<>());
            return handled.get(handled.size() - 1);
        }

        @Override
        public CompletionStage<Acknowledgement> invalidate(Invalidation invalidation) {
            return take(invalidation);
        }

        @Override
        public CompletionStage<Acknowledgement> greet(Greeting greeting) {
            return take(greeting);
        }
    }

    private final class Boxes implements Mailboxes {
        @Override
        public CompletionStage<Void> reply(Letter letter, byte[] answer) {
            assertThat(letter).isEqualTo(LETTER);
            replies.add(answer);
            replied.add(new CompletableFuture<>());
            return replied.get(replied.size() - 1);
        }

        @Override
        public CompletionStage<Void> post(Letter letter, byte[] content) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<byte[]> answer(Letter letter) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void remove(Letter letter) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void follow(Set<Long> boxes, Reader reader) {
            throw new UnsupportedOperationException();
        }
    }

    private static byte[] letter(byte[]... messages) {
        return Letters.batch(List.of(messages));
    }

    @Test
    void shouldAnswerALetterWhenAllOfItHasBeenHandled() {
        inbox.read(LETTER, letter(Letters.write(INVALIDATION), Letters.write(GREETING)));
        assertThat(received).containsExactly(INVALIDATION, GREETING);
        handled.get(1).complete(ACK);
        assertThat(replies).isEmpty();
        handled.get(0).complete(new Acknowledgement(7, false));
        assertThat(Letters.readAnswer(replies.get(0))).containsExactly(new Acknowledgement(7, false), ACK);
    }

    @Test
    void shouldAnswerNothingForWhatCouldNotBeHandled() {
        inbox.read(LETTER, letter(Letters.write(INVALIDATION), Letters.write(ACK), Letters.write(GREETING)));
        handled.get(0).completeExceptionally(new FsException(ErrorCode.NOT_READY, "leaving"));
        handled.get(1).complete(ACK);
        assertThat(Letters.readAnswer(replies.get(0))).containsExactly(null, null, ACK);
    }

    @Test
    void shouldHandleALetterAgainOnlyWhenItHasBeenAnswered() {
        byte[] content = letter(Letters.write(GREETING));
        inbox.read(LETTER, content);
        inbox.read(LETTER, content);
        assertThat(received).hasSize(1);
        handled.get(0).complete(ACK);
        inbox.read(LETTER, content);
        assertThat(received).hasSize(1);
        replied.get(0).complete(null);
        inbox.read(LETTER, content);
        assertThat(received).hasSize(2);
    }

    @Test
    void shouldLeaveAloneWhatItCannotReadAndReadItAgain() {
        inbox.read(LETTER, new byte[] {99});
        assertThat(replies).isEmpty();
        inbox.read(LETTER, letter(Letters.write(GREETING)));
        assertThat(received).hasSize(1);
    }
}
