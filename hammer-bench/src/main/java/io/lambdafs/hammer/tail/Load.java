package io.lambdafs.hammer.tail;

import io.lambdafs.hammer.Target;
import io.lambdafs.hammer.Time;
import io.lambdafs.model.AttributeOperation;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Operation;
import io.lambdafs.model.ReadOperation;
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
 * Stats of random files, some replaced by changes of a file's mode, in a number of lanes: in each, an operation follows
 * the previous one, at once or at fixed times. The latency of one delayed by its predecessor counts from its scheduled
 * start. Every answer is checked for success. Runs once.
 */
final class Load {
    private static final int DIRECTORIES = 64;
    private static final int FILES = 16;
    private static final int KEPT = 10;
    private static final long SECOND_NANOS = 1_000_000_000;

    private final Target target;
    private final Time time;
    private final double writes;
    private final ConcurrentHistogram micros = new ConcurrentHistogram(3);
    private final AtomicLong failed = new AtomicLong();
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private volatile long intervalNanos;
    private volatile long endNanos;

    /** @param writes share of operations that write, 0–1 */
    Load(Target target, Time time, double writes) {
        this.target = target;
        this.time = time;
        this.writes = writes;
    }

    /**
     * The result of a load.
     *
     * @param operations that succeeded
     * @param failures the first failures, described
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

        /** Returns the same outcome with the failures of an earlier load, too. */
        Outcome after(Outcome earlier) {
            List<String> all = new ArrayList<>(earlier.failures);
            all.addAll(failures);
            return new Outcome(
                    operations,
                    earlier.failed + failed,
                    opsPerSecond,
                    p50Micros,
                    p99Micros,
                    p999Micros,
                    maxMicros,
                    all.subList(0, Math.min(KEPT, all.size())));
        }
    }

    /** Returns the files of the load. */
    static List<FsPath> files() {
        List<FsPath> files = new ArrayList<>();
        for (int directory = 0; directory < DIRECTORIES; directory++) {
            for (int file = 0; file < FILES; file++) {
                files.add(FsPath.of("/bench-tail/d" + directory + "/f" + file));
            }
        }
        return files;
    }

    /** Creates the files, all at once. */
    static void prepare(Target target) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (FsPath file : files()) {
            all.add(target.execute(new FileOperation.Create(file, 0644, true, true, 1, 128L << 20, new byte[0], null))
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
     * @param lanes maximum number of operations in flight
     * @param opsPerSecond of all lanes; 0 for the maximum
     */
    Outcome run(int lanes, int opsPerSecond, Duration length, long seed) {
        intervalNanos = opsPerSecond == 0 ? 0 : SECOND_NANOS * lanes / opsPerSecond;
        long begin = time.nanos();
        endNanos = begin + length.toNanos();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            Lane lane = new Lane(new SplittableRandom(seed * 31 + i), begin + intervalNanos * i / lanes);
            all.add(lane.end);
            lane.next();
        }
        time.await(CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)));
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

    private final class Lane {
        private final List<FsPath> files = files();
        private final SplittableRandom random;
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private long dueNanos;

        Lane(SplittableRandom random, long firstNanos) {
            this.random = random;
            this.dueNanos = firstNanos;
        }

        void next() {
            long now = time.nanos();
            if (now - endNanos >= 0) {
                end.complete(null);
            } else if (intervalNanos == 0) {
                ask(now);
            } else if (dueNanos - now > 0) {
                time.after(dueNanos - now, () -> ask(time.nanos()));
            } else {
                ask(dueNanos);
            }
        }

        /** @param begun the actual, or scheduled, start */
        private void ask(long begun) {
            dueNanos += intervalNanos;
            FsPath file = files.get(random.nextInt(files.size()));
            Operation<? extends Reply> operation = random.nextDouble() < writes
                    ? new AttributeOperation.SetPermission(file, 0600 + random.nextInt(64))
                    : new ReadOperation.Stat(file);
            CompletableFuture<? extends Reply> answer =
                    target.execute(operation).toCompletableFuture();
            // After an immediate refusal, continue on another thread: the stack must not grow.
            boolean atOnce = answer.isDone();
            answer.whenComplete((reply, thrown) -> {
                ended(operation, begun, thrown);
                if (atOnce) {
                    time.after(0, this::next);
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
        micros.recordValue(TimeUnit.NANOSECONDS.toMicros(time.nanos() - begunNanos));
    }
}
