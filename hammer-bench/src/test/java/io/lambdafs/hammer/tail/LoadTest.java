package io.lambdafs.hammer.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lambdafs.hammer.MemoryFileSystem;
import io.lambdafs.hammer.Target;
import io.lambdafs.model.AttributeOperation;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Operation;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
import java.time.Duration;
import java.util.HashSet;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LoadTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    /** Remembers what it was asked; the first answer comes late. */
    private static final class Watched implements Target {
        final MemoryFileSystem files = new MemoryFileSystem();
        final Queue<Operation<?>> asked = new ConcurrentLinkedQueue<>();
        private final long firstMillis;

        Watched(long firstMillis) {
            this.firstMillis = firstMillis;
            Load.prepare(files);
        }

        @Override
        public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
            boolean first = asked.isEmpty();
            asked.add(operation);
            return first && firstMillis > 0
                    ? CompletableFuture.supplyAsync(
                            () -> files.apply(operation),
                            CompletableFuture.delayedExecutor(firstMillis, TimeUnit.MILLISECONDS))
                    : files.execute(operation);
        }
    }

    @Test
    void shouldMakeAllFilesThatItLooksAt() {
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
    void shouldAskAsMuchAsItCan() {
        Watched target = new Watched(0);
        Load.Outcome outcome = new Load(target, 0).run(2, 0, Duration.ZERO, SHORT, 1);
        assertThat(outcome.failed()).isZero();
        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.operations()).isEqualTo(target.asked.size()).isGreaterThan(100);
        assertThat(outcome.opsPerSecond()).isCloseTo(outcome.operations() / 0.3, within(0.001));
        assertThat(outcome.p50Micros()).isLessThanOrEqualTo(outcome.p99Micros());
        assertThat(outcome.p999Micros()).isBetween(outcome.p99Micros(), outcome.maxMicros());
        assertThat(target.asked).allMatch(each -> each instanceof ReadOperation.Stat);
    }

    @Test
    void shouldAskAtFixedTimesAndCountFromThem() {
        Watched target = new Watched(100);
        Load.Outcome outcome = new Load(target, 0).run(1, 100, Duration.ZERO, SHORT, 1);
        assertThat(outcome.failed()).isZero();
        assertThat(outcome.operations()).isBetween(15L, 31L);
        // Ten were due behind the first, and waited for what was left of it; a closed loop would have one slow one in
        // thirty.
        assertThat(outcome.maxMicros()).isGreaterThanOrEqualTo(99_000);
        assertThat(outcome.p999Micros()).isGreaterThanOrEqualTo(99_000);
        assertThat(outcome.p99Micros()).isGreaterThan(70_000);
    }

    @Test
    void shouldShareTheThroughputAmongLanes() {
        Watched target = new Watched(0);
        Load.Outcome outcome = new Load(target, 0).run(4, 200, Duration.ZERO, SHORT, 1);
        assertThat(outcome.operations()).isBetween(40L, 64L);
    }

    @Test
    void shouldNotCountTheWarmUp() {
        Watched target = new Watched(0);
        Load.Outcome outcome = new Load(target, 0).run(1, 200, Duration.ofMillis(200), Duration.ofMillis(200), 1);
        assertThat(target.asked.size()).isGreaterThan(60);
        assertThat(outcome.operations()).isBetween(20L, 41L);
    }

    @Test
    void shouldWriteThePartThatItIsToldTo() {
        Watched target = new Watched(0);
        new Load(target, 0.5).run(1, 0, Duration.ZERO, SHORT, 1);
        long writes = target.asked.stream()
                .filter(each -> each instanceof AttributeOperation.SetPermission)
                .count();
        assertThat(writes * 1.0 / target.asked.size()).isBetween(0.3, 0.7);
        assertThat(target.asked).allSatisfy(each -> {
            if (each instanceof AttributeOperation.SetPermission set) {
                assertThat(set.mode()).isBetween(0600, 0677);
            }
        });
    }

    @Test
    void shouldDescribeTheFirstThatFailed() {
        AtomicInteger asked = new AtomicInteger();
        Target broken = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                asked.incrementAndGet();
                return CompletableFuture.failedFuture(new FsException(ErrorCode.UNAVAILABLE, "planted"));
            }
        };
        Load.Outcome outcome = new Load(broken, 0).run(2, 500, Duration.ZERO, SHORT, 1);
        assertThat(outcome.operations()).isZero();
        assertThat(outcome.failed()).isEqualTo(asked.get()).isGreaterThan(20);
        assertThat(outcome.failures())
                .hasSizeBetween(10, 11)
                .allMatch(each -> each.startsWith("/bench-tail/d") && each.endsWith("planted"));
    }
}
