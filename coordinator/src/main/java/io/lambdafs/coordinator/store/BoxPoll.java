package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.GuardedListener;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Polls one mailbox at a {@link Pace}. One poll at a time. Thread-safe. */
final class BoxPoll {
    /** Letters read at once; together well below the message size limit. */
    private static final int PAGE = 8;

    private final long box;
    private final Mailboxes.Reader reader;
    private final GuardedListener<Runnable> reads = new GuardedListener<>(Runnable::run);
    private final Consumer<Mailboxes.Letter> leftover;
    private final Context context;
    private final Pace pace;
    /** Letters found by the last poll, and when each was first seen. */
    private Map<String, Long> known = Map.of();

    private volatile boolean closed;

    /** The dependencies of a poll. */
    record Context(Transactions transactions, Scheduler scheduler, Times times) {}

    /** The result of one poll. */
    private static final class Look {
        private final Map<String, Long> found = new HashMap<>();
        private boolean news;
    }

    /** @param leftover receives letters answered long ago and not removed */
    BoxPoll(long box, Mailboxes.Reader reader, Consumer<Mailboxes.Letter> leftover, Context context) {
        this.box = box;
        this.reader = reader;
        this.leftover = leftover;
        this.context = context;
        this.pace = new Pace(context.scheduler(), context.times());
    }

    void look() {
        if (closed) {
            return;
        }
        Look look = new Look();
        Stages.call(() -> page(look, null)).whenComplete((done, failure) -> {
            synchronized (this) {
                if (failure == null) {
                    known = look.found;
                }
                if (!closed) {
                    Scheduler.Essential next = this::look;
                    context.scheduler().schedule(pace.nextNanos(look.news), next);
                }
            }
        });
    }

    private CompletionStage<Boolean> page(Look look, @Nullable String after) {
        return context.transactions()
                .scan(new Scan(Schema.LETTERS, box, after, PAGE))
                .thenCompose(rows -> {
                    rows.forEach(row -> found(look, row));
                    return closed || rows.size() < PAGE
                            ? CompletableFuture.completedFuture(true)
                            : page(look, last(rows));
                });
    }

    private static String last(List<Row> rows) {
        return LetterRow.letter(rows.get(rows.size() - 1)).name();
    }

    private void found(Look look, Row row) {
        Mailboxes.Letter letter = LetterRow.letter(row);
        long now = context.scheduler().nanoTime();
        Long since;
        synchronized (this) {
            since = known.get(letter.name());
        }
        look.found.put(letter.name(), since == null ? now : since);
        if (since == null && !closed && !LetterRow.isAnswered(row)) {
            look.news = true;
            if (!reads.tell(() -> reader.read(letter, LetterRow.content(row)))) {
                // Retried by the next poll; the letters after it are read now.
                look.found.remove(letter.name());
            }
        } else if (since != null && now - since > context.times().session().toNanos()) {
            leftover.accept(letter);
        }
    }

    void close() {
        closed = true;
    }
}
