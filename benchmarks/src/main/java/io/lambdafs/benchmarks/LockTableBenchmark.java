package io.lambdafs.benchmarks;

import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.Read;
import io.lambdafs.store.Schema;
import io.lambdafs.store.lock.LockTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** Takes and releases the locks of a transaction: two shared and one exclusive. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LockTableBenchmark {
    private static final int FILES = 10_000;
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final SystemScheduler scheduler = new SystemScheduler("locks", 1, 1_024);
    private final LockTable table = new LockTable(scheduler, 1_024);
    private final AtomicInteger threads = new AtomicInteger();

    /** The files of one thread, which no other thread locks; all threads share the directories above. */
    @State(Scope.Thread)
    public static class Files {
        private final List<List<Read>> reads = new ArrayList<>();
        private int turn;

        /** @param all numbers the threads */
        private List<Read> next(LockTableBenchmark all) {
            if (reads.isEmpty()) {
                int thread = all.threads.getAndIncrement();
                for (int i = 0; i < FILES; i++) {
                    reads.add(List.of(
                            Read.shared(Schema.INODES.key(0L, "")),
                            Read.shared(Schema.INODES.key(1L, "top")),
                            Read.exclusive(Schema.INODES.key(2L, "file-" + thread + "-" + i))));
                }
            }
            turn = turn + 1 < FILES ? turn + 1 : 0;
            return reads.get(turn);
        }
    }

    private CompletionStage<Void> takeAndLetGo(Files files) {
        LockTable.Owner owner = table.owner();
        CompletionStage<Void> held = table.acquire(owner, files.next(this), WAIT_NANOS);
        table.release(owner);
        return held;
    }

    @Benchmark
    @Threads(1)
    public CompletionStage<Void> alone(Files files) {
        return takeAndLetGo(files);
    }

    @Benchmark
    @Threads(4)
    public CompletionStage<Void> amongFourThreads(Files files) {
        return takeAndLetGo(files);
    }

    @TearDown
    public void close() {
        scheduler.close();
    }
}
