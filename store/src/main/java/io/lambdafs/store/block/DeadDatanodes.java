package io.lambdafs.store.block;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Loop;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes datanodes from the list whose heartbeat this process has not seen change for an hour. Every datanode does
 * this, concurrently without harm; a removed datanode that returns registers again. Thread-safe.
 */
public final class DeadDatanodes implements AutoCloseable {
    static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);
    static final long FORGOTTEN_AFTER_NANOS = TimeUnit.HOURS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(DeadDatanodes.class);
    private static final int MOST = 10_000;

    private final MetadataStore store;
    private final Scheduler scheduler;
    private Map<Key, Seen> seen = Map.of();
    private final Chore chore;

    /** A heartbeat and the time it was first seen. */
    private record Seen(long heartbeatMillis, long atNanos) {}

    public DeadDatanodes(MetadataStore store, Scheduler scheduler) {
        this.store = store;
        this.scheduler = scheduler;
        this.chore = Chore.everyAndABit(PERIOD_NANOS, scheduler, this::runAndTell);
    }

    /** Starts checking, every 60 to 90 seconds. */
    public void start() {
        chore.start();
    }

    private CompletionStage<Integer> runAndTell() {
        return Stages.call(this::run).whenComplete((count, failure) -> {
            if (failure != null && !chore.isClosed()) {
                LOG.warn(
                        "dead datanodes could not be removed from the list; the next look tries again: {}",
                        FsException.of(failure).getMessage());
            }
        });
    }

    /** Checks once; completes with the number removed. */
    CompletionStage<Integer> run() {
        StoreTransaction transaction = store.begin(0);
        return transaction
                .scan(new Scan(Schema.DATANODES, 0L, null, MOST))
                .whenComplete((rows, failure) -> transaction.abort())
                .thenCompose(rows -> {
                    Deque<Datanode> dead = new ArrayDeque<>(judge(rows));
                    AtomicInteger gone = new AtomicInteger();
                    return Loop.whileTrue(() -> {
                                Datanode next = dead.poll();
                                return next == null
                                        ? CompletableFuture.completedFuture(false)
                                        : forget(next).thenApply(done -> {
                                            gone.addAndGet(done ? 1 : 0);
                                            return true;
                                        });
                            })
                            .thenApply(done -> gone.get());
                });
    }

    private synchronized List<Datanode> judge(List<Row> rows) {
        long now = scheduler.nanoTime();
        Map<Key, Seen> seenNow = new HashMap<>();
        for (Row row : rows) {
            long heartbeat = Datanode.of(row).heartbeatMillis();
            Seen before = seen.get(row.key());
            seenNow.put(
                    row.key(),
                    before != null && before.heartbeatMillis() == heartbeat ? before : new Seen(heartbeat, now));
        }
        seen = seenNow;
        return rows.stream()
                .filter(row -> {
                    Seen last = seenNow.get(row.key());
                    return last != null && now - last.atNanos() >= FORGOTTEN_AFTER_NANOS;
                })
                .map(Datanode::of)
                .toList();
    }

    /** Removes a datanode if its heartbeat is still unchanged; completes with whether it was. */
    private CompletionStage<Boolean> forget(Datanode dead) {
        Key key = Datanode.key(dead.address().id());
        StoreTransaction transaction = store.begin(0);
        return transaction
                .read(List.of(Read.exclusive(key)), 0)
                .thenCompose(rows -> {
                    Row now = rows.get(0);
                    if (now == null || Datanode.of(now).heartbeatMillis() != dead.heartbeatMillis()) {
                        return CompletableFuture.completedFuture(false);
                    }
                    LOG.info(
                            "datanode {} has been silent for an hour and is taken off the list",
                            dead.address().id());
                    return transaction
                            .commit(List.of(new Mutation.Delete(key)), Long.MAX_VALUE)
                            .thenApply(done -> true);
                })
                .whenComplete((done, failure) -> transaction.abort());
    }

    @Override
    public void close() {
        chore.close();
    }
}
