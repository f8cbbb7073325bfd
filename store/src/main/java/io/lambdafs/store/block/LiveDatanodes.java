package io.lambdafs.store.block;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A cached view of the datanodes likely to be alive. The store is read at most once a second, by one transaction at a
 * time, however many callers ask.
 *
 * <p>Only a hint: a client that finds a datanode dead tries the next, so clocks need not agree. A datanode counts as
 * alive while this process sees its heartbeats change; after a single reading, wall clocks are compared. Thread-safe.
 */
public final class LiveDatanodes {
    /** The interval of a datanode's heartbeats. */
    public static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The time without a heartbeat after which a datanode counts as dead. */
    public static final long DEAD_AFTER_NANOS = TimeUnit.SECONDS.toNanos(6);

    private static final long CACHED_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST = 10_000;

    private final MetadataStore store;
    private final Scheduler scheduler;

    private final Object lock = new Object();
    private Map<String, Seen> seen = Map.of();
    private List<Datanode> live = List.of();
    private long readNanos;
    private boolean wasRead;
    private @Nullable CompletableFuture<List<Datanode>> reading;

    /** A heartbeat and the time it was first seen. */
    private record Seen(long heartbeatMillis, long atNanos) {}

    public LiveDatanodes(MetadataStore store, Scheduler scheduler) {
        this.store = store;
        this.scheduler = scheduler;
    }

    /** Returns the live datanodes in random order, draining ones last; fails as the store does. */
    public CompletionStage<List<Datanode>> live() {
        return read().thenApply(all -> {
            List<Datanode> shuffled = new ArrayList<>(all);
            Collections.shuffle(shuffled, new Random(scheduler.random().nextLong()));
            shuffled.sort((a, b) -> a.state().compareTo(b.state()));
            return shuffled;
        });
    }

    private CompletionStage<List<Datanode>> read() {
        CompletableFuture<List<Datanode>> mine;
        synchronized (lock) {
            if (wasRead && scheduler.nanoTime() - readNanos < CACHED_NANOS) {
                return CompletableFuture.completedFuture(live);
            }
            if (reading != null) {
                return reading;
            }
            mine = new CompletableFuture<>();
            reading = mine;
        }
        StoreTransaction transaction = store.begin(0);
        transaction.scan(new Scan(Schema.DATANODES, 0L, null, MOST)).whenComplete((rows, failure) -> {
            transaction.abort();
            finish(mine, rows, failure);
        });
        return mine;
    }

    private void finish(CompletableFuture<List<Datanode>> mine, @Nullable List<Row> rows, @Nullable Throwable failure) {
        List<Datanode> found = List.of();
        Throwable why = failure;
        synchronized (lock) {
            reading = null;
            if (rows != null) {
                try {
                    found = judge(rows);
                } catch (RuntimeException damaged) {
                    why = damaged;
                }
            }
        }
        if (why != null) {
            mine.completeExceptionally(why);
        } else {
            mine.complete(found);
        }
    }

    private List<Datanode> judge(List<Row> rows) {
        long now = scheduler.nanoTime();
        Map<String, Seen> seenNow = new HashMap<>();
        List<Datanode> alive = new ArrayList<>();
        for (Row row : rows) {
            Datanode datanode = Datanode.of(row);
            String id = datanode.address().id();
            Seen before = seen.get(id);
            Seen last = before != null && before.heartbeatMillis() == datanode.heartbeatMillis()
                    ? before
                    : new Seen(datanode.heartbeatMillis(), before == null ? firstSeen(datanode, now) : now);
            seenNow.put(id, last);
            if (datanode.state() != Datanode.State.STOPPED && now - last.atNanos() < DEAD_AFTER_NANOS) {
                alive.add(datanode);
            }
        }
        seen = seenNow;
        live = List.copyOf(alive);
        readNanos = now;
        wasRead = true;
        return live;
    }

    /** Returns the time of a datanode's last heartbeat by this machine's clocks. */
    private long firstSeen(Datanode datanode, long now) {
        long age = Math.max(0, scheduler.currentTimeMillis() - datanode.heartbeatMillis());
        return now - TimeUnit.MILLISECONDS.toNanos(Math.min(age, TimeUnit.DAYS.toMillis(1)));
    }
}
