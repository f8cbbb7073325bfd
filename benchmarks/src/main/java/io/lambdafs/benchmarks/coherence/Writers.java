package io.lambdafs.benchmarks.coherence;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Makes writes of one kind with a fixed number in flight; each answer starts the next write. Runs once. */
final class Writers {
    private final LambdaFs client;
    private final WriteKind kind;
    private final FsPath parent;
    private final int writes;
    private final AtomicInteger next = new AtomicInteger();
    private final ConcurrentHistogram micros = new ConcurrentHistogram(3);

    Writers(LambdaFs client, WriteKind kind, FsPath parent, int writes) {
        this.client = client;
        this.kind = kind;
        this.parent = parent;
        this.writes = writes;
    }

    /** Runs all writes and returns their times in microseconds; fails as the first failed write did. */
    Histogram run(int atOnce) {
        List<CompletableFuture<Void>> places = new ArrayList<>();
        for (int i = 0; i < atOnce; i++) {
            CompletableFuture<Void> place = new CompletableFuture<>();
            places.add(place);
            write(place);
        }
        try {
            CompletableFuture.allOf(places.toArray(CompletableFuture<?>[]::new)).join();
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
        return micros;
    }

    private void write(CompletableFuture<Void> place) {
        int number = next.getAndIncrement();
        if (number >= writes) {
            place.complete(null);
            return;
        }
        long begun = System.nanoTime();
        client.execute(kind.of(parent, number)).whenComplete((reply, failure) -> {
            if (failure == null) {
                micros.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun));
                write(place);
            } else {
                place.completeExceptionally(failure);
            }
        });
    }
}
