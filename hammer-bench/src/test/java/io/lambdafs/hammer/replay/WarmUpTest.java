package io.lambdafs.hammer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.ImportedTree;
import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.hammer.tree.Trees;
import io.lambdafs.hammer.workload.Schedule;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WarmUpTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    private final MemoryFileSystem files = new MemoryFileSystem();
    private final AtomicLong asked = new AtomicLong();
    private final Workload workload = Workload.spotify(SECOND, 300, 5);
    private ImportedTree tree = new ImportedTree(Trees.TARGET, List.of());

    @BeforeEach
    void importTree() throws Exception {
        tree = Trees.importInto(files, Trees.write(folder, 20, 20));
    }

    /** @param failing how many of the first operations fail */
    private ReplayResult run(Workload offered, int failing) {
        Target target = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                return asked.incrementAndGet() <= failing
                        ? CompletableFuture.failedFuture(new FsException(ErrorCode.INTERNAL, "planted"))
                        : files.execute(operation);
            }
        };
        return Replay.run(
                ReplaySettings.of(tree, offered),
                target,
                ClusterProbe.none(),
                progress -> {},
                unfinished -> {},
                new QuickTime());
    }

    @Test
    void shouldCountNothingThatComesBeforeTheLoad() {
        ReplayResult result = run(workload.withWarmUp(SECOND), 0);
        assertThat(result.failed()).isZero();
        Schedule schedule = new Schedule(workload);
        long offered = 0;
        for (Schedule.Cursor cursor = schedule.cursor(); cursor.present(); cursor.advance()) {
            offered++;
        }
        assertThat(result.operations()).isEqualTo(offered);
        assertThat(result.latencyMicros().get(ReplayResult.ALL).count()).isEqualTo(offered);
        // A second of the base throughput, less what chance takes.
        assertThat(asked.get()).isBetween(offered + 150, offered + 450);
        assertThat(result.series().get(0).seconds()).isLessThan(1.9);
    }

    @Test
    void shouldCountItsFailures() {
        ReplayResult result = run(workload.withWarmUp(SECOND), 3);
        assertThat(result.failed()).isEqualTo(3);
        assertThat(result.failures()).first().asString().contains("planted");
    }
}
