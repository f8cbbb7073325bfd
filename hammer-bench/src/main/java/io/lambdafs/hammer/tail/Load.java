package io.lambdafs.hammer.tail;

import io.lambdafs.hammer.loop.Calls;
import io.lambdafs.hammer.loop.ClosedLoop;
import io.lambdafs.hammer.loop.LoopResult;
import io.lambdafs.hammer.loop.Preparation;
import io.lambdafs.hammer.loop.Span;
import io.lambdafs.hammer.replay.Time;
import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

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

    /** Creates the files, many at once. */
    static void prepare(Target target) throws InterruptedException {
        Preparation.send(
                target,
                files().stream()
                        .map(file ->
                                new FileOperation.Create(file, 0644, true, true, 1, 128L << 20, new byte[0], null)));
    }

    /**
     * Runs the load.
     *
     * @param lanes maximum number of operations in flight
     * @param opsPerSecond of all lanes; 0 for the maximum
     */
    Outcome run(int lanes, int opsPerSecond, Duration length, long seed) throws InterruptedException {
        List<FsPath> files = files();
        SplittableRandom[] randoms = new SplittableRandom[lanes];
        Arrays.setAll(randoms, lane -> new SplittableRandom(seed * 31 + lane));
        Calls<Operation<?>> calls = lane -> {
            SplittableRandom random = randoms[lane];
            FsPath file = files.get(random.nextInt(files.size()));
            return random.nextDouble() < writes
                    ? new AttributeOperation.SetPermission(file, 0600 + random.nextInt(64))
                    : new ReadOperation.Stat(file);
        };
        ClosedLoop<Operation<?>> loop = ClosedLoop.of(target, calls).by(time);
        if (opsPerSecond > 0) {
            long interval = SECOND_NANOS * lanes / opsPerSecond;
            loop.paced((lane, number) -> interval * lane / lanes + interval * number);
        }
        LoopResult result = loop.run(lanes, Span.drained(time.nanos(), length));
        Latency latency = result.latency();
        return new Outcome(
                latency.count(),
                result.failed(),
                latency.count() * 1e9 / length.toNanos(),
                latency.p50(),
                latency.p99(),
                latency.p999(),
                latency.max(),
                result.failures());
    }
}
