package io.lambdafs.cli.tail;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * A load of so many operations in flight, each followed by the next: stats of files at random, some of them changes of a file's mode
 * instead. Every answer is checked for success. Runs once.
 */
final class ClosedLoop {
    private static final int DIRECTORIES = 64;
    private static final int FILES = 16;
    private static final int KEPT = 10;

    private final LambdaFs client;
    private final double writes;
    private final ConcurrentHistogram micros = new ConcurrentHistogram(3);
    private final AtomicLong failed = new AtomicLong();
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private volatile long countFromNanos;
    private volatile long endNanos;

    /** @param writes part of the operations that write, 0–1 */
    ClosedLoop(LambdaFs client, double writes) {
        this.client = client;
        this.writes = writes;
    }

    /**
     * What a load came to.
     *
     * @param operations done in the time that counts
     * @param failures the first that failed, described
     */
    record Outcome(
            long operations,
            long failed,
            double opsPerSecond,
            long p50Micros,
            long p99Micros,
            long p999Micros,
            long maxMicros,
            List<String> failures) {
        Outcome {
            failures = List.copyOf(failures);
        }
    }

    /** The files that are looked at. */
    static List<FsPath> files() {
        List<FsPath> files = new ArrayList<>();
        for (int directory = 0; directory < DIRECTORIES; directory++) {
            for (int file = 0; file < FILES; file++) {
                files.add(FsPath.of("/bench-tail/d" + directory + "/f" + file));
            }
        }
        return files;
    }

    /** Makes the files, all at once. */
    static void prepare(LambdaFs client) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (FsPath file : files()) {
            all.add(client.execute(new Operation.Create(file, 0644, true, true, 1, 128L << 20, new byte[0], null))
                    .toCompletableFuture());
        }
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).join();
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
    }

    /**
     * Runs the load.
     *
     * @param window operations in flight
     * @param warmUp that does not count
     */
    Outcome run(int window, Duration warmUp, Duration length, long seed) {
        countFromNanos = System.nanoTime() + warmUp.toNanos();
        endNanos = countFromNanos + length.toNanos();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < window; i++) {
            Worker worker = new Worker(new SplittableRandom(seed * 31 + i));
            all.add(worker.end);
            worker.next();
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).join();
        long done = micros.getTotalCount();
        return new Outcome(
                done,
                failed.get(),
                done * 1e9 / length.toNanos(),
                micros.getValueAtPercentile(50),
                micros.getValueAtPercentile(99),
                micros.getValueAtPercentile(99.9),
                micros.getMaxValue(),
                failures);
    }

    /** One place of the window. */
    private final class Worker {
        private final List<FsPath> files = files();
        private final SplittableRandom random;
        private final CompletableFuture<Void> end = new CompletableFuture<>();

        Worker(SplittableRandom random) {
            this.random = random;
        }

        /** What comes at once, a refusal say, goes on on another thread: the stack must not grow with it. */
        void next() {
            long begun = System.nanoTime();
            if (begun - endNanos >= 0) {
                end.complete(null);
                return;
            }
            FsPath file = files.get(random.nextInt(files.size()));
            Operation<? extends Reply> operation = random.nextDouble() < writes
                    ? new Operation.SetPermission(file, 0600 + random.nextInt(64))
                    : new Operation.Stat(file);
            CompletableFuture<? extends Reply> answer =
                    client.execute(operation).toCompletableFuture();
            boolean atOnce = answer.isDone();
            answer.whenComplete((reply, thrown) -> {
                ended(operation, begun, thrown);
                if (atOnce) {
                    CompletableFuture.runAsync(this::next);
                } else {
                    next();
                }
            });
        }
    }

    private void ended(Operation<?> operation, long begunNanos, Throwable thrown) {
        if (thrown != null) {
            failed.incrementAndGet();
            if (failures.size() < KEPT) {
                failures.add(operation.path() + ": " + FsException.of(thrown).getMessage());
            }
            return;
        }
        long now = System.nanoTime();
        if (begunNanos - countFromNanos >= 0) {
            micros.recordValue(TimeUnit.NANOSECONDS.toMicros(now - begunNanos));
        }
    }
}
