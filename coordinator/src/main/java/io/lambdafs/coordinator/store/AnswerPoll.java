package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** Polls for awaited answers at a {@link Pace}, as long as there are any. One poll at a time. Thread-safe. */
final class AnswerPoll {
    private static final int PAGE = 64;
    private static final Comparator<Mailboxes.Letter> ORDER =
            Comparator.comparingLong(Mailboxes.Letter::box).thenComparing(Mailboxes.Letter::name);

    private final Transactions transactions;
    private final Scheduler scheduler;
    private final Times times;
    private final NavigableMap<Mailboxes.Letter, CompletableFuture<byte[]>> awaited =
            new ConcurrentSkipListMap<>(ORDER);
    private boolean running;
    private volatile boolean closed;
    private Pace pace;

    AnswerPoll(Transactions transactions, Scheduler scheduler, Times times) {
        this.transactions = transactions;
        this.scheduler = scheduler;
        this.times = times;
        this.pace = new Pace(scheduler, times);
    }

    CompletionStage<byte[]> await(Mailboxes.Letter letter) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        awaited.put(letter, answer);
        synchronized (this) {
            // The addressee can hardly have seen a letter just posted.
            pace = new Pace(scheduler, times);
            if (!running) {
                running = true;
                lookAfter(Pace.FASTEST_NANOS);
            }
        }
        return answer;
    }

    void giveUp(Mailboxes.Letter letter) {
        awaited.remove(letter);
    }

    void close() {
        closed = true;
        awaited.clear();
    }

    private void lookAfter(long nanos) {
        Scheduler.Essential look = this::look;
        scheduler.schedule(nanos, look);
    }

    private void look() {
        List<Mailboxes.Letter> letters = List.copyOf(awaited.keySet());
        List<CompletableFuture<Boolean>> pages = new ArrayList<>();
        for (int from = 0; from < letters.size(); from += PAGE) {
            List<Mailboxes.Letter> some = letters.subList(from, Math.min(from + PAGE, letters.size()));
            pages.add(Stages.call(() -> page(some)).toCompletableFuture());
        }
        CompletableFuture.allOf(pages.toArray(new CompletableFuture<?>[0])).whenComplete((done, failure) -> {
            boolean found = pages.stream().anyMatch(page -> !page.isCompletedExceptionally() && page.getNow(false));
            synchronized (this) {
                if (closed || awaited.isEmpty()) {
                    running = false;
                } else {
                    lookAfter(pace.nextNanos(found));
                }
            }
        });
    }

    private CompletionStage<Boolean> page(List<Mailboxes.Letter> letters) {
        List<Read> reads = letters.stream()
                .map(letter -> Read.unlocked(LetterRow.key(letter)))
                .toList();
        return transactions.read(reads).thenApply(rows -> {
            boolean found = false;
            for (@Nullable Row row : rows) {
                found |= row != null && LetterRow.isAnswered(row) && answered(row);
            }
            return found;
        });
    }

    private boolean answered(Row row) {
        CompletableFuture<byte[]> answer = awaited.remove(LetterRow.letter(row));
        return answer != null && answer.complete(LetterRow.answer(row));
    }
}
