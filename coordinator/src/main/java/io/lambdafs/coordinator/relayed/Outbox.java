package io.lambdafs.coordinator.relayed;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Batches the messages for one mailbox into letters. While a letter is being posted, messages gather for the next one.
 * At most {@value #MAX_UNANSWERED} messages are unanswered. A letter is removed when all its messages are answered or
 * given up. Thread-safe.
 */
final class Outbox {
    private static final int MAX_UNANSWERED = 4_096;
    private static final int MAX_BATCH = 512;

    private final long box;
    private final Mailboxes mailboxes;
    private final Scheduler scheduler;
    private final Supplier<String> names;
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Deque<Pending> gathered = new ArrayDeque<>();
    private boolean posting;

    /** A message in flight. */
    private static final class Pending {
        private final byte[] message;
        private final boolean alone;
        private final CompletableFuture<Acknowledgement> ack = new CompletableFuture<>();
        private volatile boolean posted;

        Pending(byte[] message, boolean alone) {
            this.message = message;
            this.alone = alone;
        }

        byte[] message() {
            return message;
        }

        boolean alone() {
            return alone;
        }

        CompletableFuture<Acknowledgement> ack() {
            return ack;
        }

        /** Fails for lack of an answer, which is the addressee's fault only if the letter was posted. */
        void timeOut(long box) {
            ack.completeExceptionally(
                    posted
                            ? new FsException(
                                    ErrorCode.TIMED_OUT,
                                    "the member of epoch " + box + " did not acknowledge by relay in time")
                            : new FsException(
                                    ErrorCode.OVERLOADED, "the invalidation could not be relayed in time; try again"));
        }
    }

    Outbox(long box, Mailboxes mailboxes, Scheduler scheduler, Supplier<String> names) {
        this.box = box;
        this.mailboxes = mailboxes;
        this.scheduler = scheduler;
        this.names = names;
    }

    /** @param alone whether the message gets a letter of its own */
    CompletionStage<Acknowledgement> send(byte[] message, boolean alone, long timeoutNanos) {
        if (message.length > Mailboxes.MAX_BYTES - Letters.HEADER_BYTES) {
            return CompletableFuture.failedFuture(new FsException(
                    ErrorCode.BAD_FRAME,
                    "an invalidation of " + message.length + " bytes does not fit into a letter of "
                            + Mailboxes.MAX_BYTES));
        }
        if (unanswered.incrementAndGet() > MAX_UNANSWERED) {
            unanswered.decrementAndGet();
            return CompletableFuture.failedFuture(new FsException(
                    ErrorCode.OVERLOADED, "too many messages wait for an answer of the member of epoch " + box));
        }
        Pending pending = new Pending(message, alone);
        Scheduler.Timer limit = scheduler.schedule(timeoutNanos, () -> pending.timeOut(box));
        pending.ack().whenComplete((value, failure) -> {
            limit.cancel();
            unanswered.decrementAndGet();
        });
        synchronized (this) {
            gathered.add(pending);
        }
        post();
        return pending.ack();
    }

    private void post() {
        List<Pending> batch;
        synchronized (this) {
            if (posting) {
                return;
            }
            batch = nextBatch();
            if (batch.isEmpty()) {
                return;
            }
            posting = true;
        }
        Mailboxes.Letter letter = new Mailboxes.Letter(box, names.get());
        CompletionStage<Void> sent = mailboxes.post(
                letter, Letters.batch(batch.stream().map(Pending::message).toList()));
        removeWhenDone(letter, batch, sent);
        sent.whenComplete((posted, failure) -> {
            if (failure == null) {
                batch.forEach(pending -> pending.posted = true);
                mailboxes.answer(letter).thenAccept(answer -> answered(batch, answer));
                if (batch.stream().allMatch(pending -> pending.ack().isDone())) {
                    // Given up while being posted: no one awaits the answer.
                    mailboxes.remove(letter);
                }
            } else {
                fail(batch, failure);
            }
            synchronized (this) {
                posting = false;
            }
            post();
        });
    }

    private List<Pending> nextBatch() {
        List<Pending> batch = new ArrayList<>();
        int bytes = Letters.HEADER_BYTES;
        for (Pending next = gathered.peek(); next != null; next = gathered.peek()) {
            int more = next.message().length + Letters.HEADER_BYTES;
            boolean fits = batch.isEmpty()
                    || (!next.alone() && batch.size() < MAX_BATCH && bytes + more <= Mailboxes.MAX_BYTES);
            if (!fits) {
                break;
            }
            gathered.poll();
            // Messages given up meanwhile need not be sent.
            if (!next.ack().isDone()) {
                batch.add(next);
                bytes += more;
                if (next.alone()) {
                    break;
                }
            }
        }
        return batch;
    }

    /** Removes a letter only after posting has ended, because a letter removed before it exists would stay. */
    private void removeWhenDone(Mailboxes.Letter letter, List<Pending> batch, CompletionStage<Void> sent) {
        CompletableFuture<?>[] acks = batch.stream().map(Pending::ack).toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(acks)
                .whenComplete((done, failure) -> sent.whenComplete((posted, lost) -> mailboxes.remove(letter)));
    }

    private static void answered(List<Pending> batch, byte[] answer) {
        List<@Nullable Acknowledgement> acks;
        try {
            acks = Letters.readAnswer(answer);
        } catch (FsException unreadable) {
            batch.forEach(pending -> pending.ack().completeExceptionally(unreadable));
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            Acknowledgement ack = i < acks.size() ? acks.get(i) : null;
            if (ack != null) {
                batch.get(i).ack().complete(ack);
            } else {
                batch.get(i)
                        .ack()
                        .completeExceptionally(FsException.unavailable("the instance could not handle the message"));
            }
        }
    }

    /** Fails messages that were not sent, through no fault of the addressee, which must not be fenced for it. */
    private static void fail(List<Pending> batch, Throwable failure) {
        FsException notSent = new FsException(
                ErrorCode.OVERLOADED,
                "the invalidation could not be relayed: "
                        + FsException.of(failure).getMessage(),
                failure);
        batch.forEach(pending -> pending.ack().completeExceptionally(notSent));
    }
}
