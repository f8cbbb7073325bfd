package io.lambdafs.hammer.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lambdafs.hammer.replay.QuickTime;
import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class LoadTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final long MILLI = 1_000_000;

    private final QuickTime time = new QuickTime();

    /** Remembers what it was asked; each answer takes a millisecond, the first one longer. */
    private final class Watched implements Target {
        final MemoryFileSystem files = new MemoryFileSystem();
        final List<Operation<?>> asked = new ArrayList<>();
        private final long firstMillis;

        Watched(long firstMillis) throws InterruptedException {
            this.firstMillis = firstMillis;
            Load.prepare(files);
        }

        @Override
        public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
            CompletableFuture<R> answer = new CompletableFuture<>();
            time.after((asked.isEmpty() ? firstMillis : 1) * MILLI, () -> answer.complete(files.apply(operation)));
            asked.add(operation);
            return answer;
        }
    }

    private Load.Outcome run(Target target, double writes, int lanes, int opsPerSecond) throws InterruptedException {
        return new Load(target, time, writes).run(lanes, opsPerSecond, SHORT, 1);
    }

    @Test
    void shouldMakeAllFilesThatItLooksAt() throws Exception {
        MemoryFileSystem files = new MemoryFileSystem();
        Load.prepare(files);
        assertThat(new HashSet<>(Load.files()))
                .hasSize(1_024)
                .contains(FsPath.of("/bench-tail/d0/f0"), FsPath.of("/bench-tail/d63/f15"))
                .allSatisfy(file -> assertThat(files.apply(new ReadOperation.Stat(file))
                                .attributes()
                                .isDirectory())
                        .isFalse());
    }

    @Test
    void shouldAskAsMuchAsItCan() throws Exception {
        Watched target = new Watched(1);
        Load.Outcome outcome = run(target, 0, 2, 0);
        assertThat(outcome.failed()).isZero();
        assertThat(outcome.failures()).isEmpty();
        // Two lanes, a thousand a second each.
        assertThat(outcome.operations()).isEqualTo(target.asked.size()).isBetween(590L, 600L);
        assertThat(outcome.opsPerSecond()).isCloseTo(outcome.operations() / 0.3, within(0.001));
        assertThat(outcome.p50Micros()).isBetween(1_000L, 1_010L);
        assertThat(outcome.maxMicros()).isBetween(1_000L, 1_010L);
        assertThat(target.asked).allMatch(each -> each instanceof ReadOperation.Stat);
        assertThat(target.asked.stream().map(Operation::path).distinct().count())
                .isGreaterThan(300);
    }

    @Test
    void shouldAskAtFixedTimesAndCountFromThem() throws Exception {
        Watched target = new Watched(100);
        Load.Outcome outcome = run(target, 0, 1, 100);
        assertThat(outcome.failed()).isZero();
        assertThat(outcome.operations()).isBetween(30L, 31L);
        // Ten were due behind the first and waited for what was left of it; a closed loop would have one slow one in
        // thirty.
        assertThat(outcome.maxMicros()).isBetween(100_000L, 100_200L);
        assertThat(outcome.p999Micros()).isEqualTo(outcome.maxMicros());
        assertThat(outcome.p99Micros()).isEqualTo(outcome.maxMicros());
        assertThat(outcome.p50Micros()).isBetween(1_000L, 1_100L);
    }

    @Test
    void shouldShareTheThroughputAmongLanes() throws Exception {
        Watched target = new Watched(1);
        assertThat(run(target, 0, 4, 200).operations()).isBetween(60L, 64L);
    }

    @Test
    void shouldWriteThePartThatItIsToldTo() throws Exception {
        Watched target = new Watched(1);
        Load.Outcome outcome = run(target, 0.5, 2, 0);
        assertThat(outcome.failed()).isZero();
        List<Integer> modes = target.asked.stream()
                .filter(each -> each instanceof AttributeOperation.SetPermission)
                .map(each -> ((AttributeOperation.SetPermission) each).mode())
                .toList();
        assertThat(modes).hasSizeBetween(240, 360).allMatch(mode -> mode >= 0600 && mode <= 0677);
        assertThat(new HashSet<>(modes)).hasSizeGreaterThan(50);
    }

    @Test
    void shouldDescribeTheFirstThatFailed() throws Exception {
        List<FsPath> asked = new ArrayList<>();
        Target broken = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                asked.add(operation.path());
                return CompletableFuture.failedFuture(FsException.unavailable("planted"));
            }
        };
        Load.Outcome outcome = run(broken, 0, 2, 500);
        assertThat(outcome.operations()).isZero();
        assertThat(outcome.failed()).isEqualTo(asked.size()).isBetween(150L, 152L);
        assertThat(outcome.failures()).hasSize(10).first().asString().contains(asked.get(0) + ": ", "planted");
    }
}
