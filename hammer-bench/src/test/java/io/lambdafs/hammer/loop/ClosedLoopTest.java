package io.lambdafs.hammer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.hammer.replay.QuickTime;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ClosedLoopTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final List<FsPath> asked = new ArrayList<>();
    private final AtomicLong next = new AtomicLong(10);

    private Calls<Operation<?>> numbers(long most) {
        return lane -> next.get() < 10 + most ? new ReadOperation.Stat(FsPath.of("/f" + next.getAndIncrement())) : null;
    }

    private static Span drained(Duration length) {
        return Span.drained(System.nanoTime(), length);
    }

    /** Fails the first operations; the others are answered in groups, when the group is complete. */
    private final class InGroups implements Target {
        private final int size;
        private final int failing;
        private final List<CompletableFuture<?>> waiting = new ArrayList<>();
        private int most;

        InGroups(int size, int failing) {
            this.size = size;
            this.failing = failing;
        }

        @Override
        public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
            asked.add(operation.path());
            if (asked.size() <= failing) {
                return CompletableFuture.failedFuture(FsException.unavailable("planted " + asked.size()));
            }
            CompletableFuture<R> answer = new CompletableFuture<>();
            waiting.add(answer);
            most = Math.max(most, waiting.size());
            if (waiting.size() == size) {
                List<CompletableFuture<?>> group = List.copyOf(waiting);
                waiting.clear();
                group.forEach(each -> each.complete(null));
            }
            return answer;
        }
    }

    @Test
    void shouldKeepACallOfEachLaneInFlight() throws Exception {
        InGroups target = new InGroups(4, 0);
        LoopResult result = ClosedLoop.of(target, numbers(20)).run(4, drained(LONG));
        assertThat(asked)
                .containsExactlyInAnyOrderElementsOf(LongStream.range(10, 30)
                        .mapToObj(number -> FsPath.of("/f" + number))
                        .toList());
        assertThat(target.most).isEqualTo(4);
        assertThat(result.latency().count()).isEqualTo(20);
        assertThat(result.failed()).isZero();
        assertThat(result.seconds()).isBetween(1e-6, 30.0);
        assertThat(result.opsPerSecond()).isEqualTo(20 / result.seconds());
    }

    @Test
    void shouldBeginNoCallWhenTheTimeIsOver() throws Exception {
        QuickTime time = new QuickTime();
        LoopResult result = ClosedLoop.of(new InGroups(1, 0), numbers(Long.MAX_VALUE - 10))
                .by(time)
                .run(1, Span.drained(time.nanos(), Duration.ofMillis(1)));
        assertThat(result.seconds()).isBetween(0.001, 0.0011);
        assertThat(result.latency().count()).isEqualTo(asked.size()).isBetween(100L, 1_000L);
    }

    /** Ten calls are due while the first one takes 100 ms: each counts from its time. */
    @Test
    void shouldCountCallsFromTheirSetTimes() throws Exception {
        QuickTime time = new QuickTime();
        Target slowAtFirst = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                CompletableFuture<R> answer = new CompletableFuture<>();
                time.after(asked.isEmpty() ? 100_000_000 : 1_000_000, () -> answer.complete(null));
                asked.add(operation.path());
                return answer;
            }
        };
        LoopResult result = ClosedLoop.of(slowAtFirst, numbers(30))
                .by(time)
                .paced((lane, number) -> number * 10_000_000)
                .run(1, Span.drained(time.nanos(), LONG));
        assertThat(result.latency().count()).isEqualTo(30);
        assertThat(result.latency().p50()).isBetween(1_000L, 1_100L);
        assertThat(result.latency().p90()).isBetween(70_000L, 95_000L);
    }

    @Test
    void shouldWaitForTheLastAnswerAndMeasureIt() throws Exception {
        Target slow = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                return CompletableFuture.supplyAsync(
                        () -> null, CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
            }
        };
        LoopResult result = ClosedLoop.of(slow, numbers(2)).run(2, drained(LONG));
        assertThat(result.seconds()).isBetween(0.05, 30.0);
        assertThat(result.latency().count()).isEqualTo(2);
        assertThat(result.latency().p50()).isBetween(50_000L, 30_000_000L);
    }

    @Test
    void shouldCountAllThatFailedAndDescribeTheFirst() throws Exception {
        LoopResult result = ClosedLoop.of(new InGroups(1, 17), numbers(20)).run(1, drained(LONG));
        assertThat(result.failed()).isEqualTo(17);
        assertThat(result.failures()).hasSize(10).first().asString().contains("/f10", "UNAVAILABLE: planted 1");
        assertThat(result.latency().count()).isEqualTo(3);
    }

    @Test
    void shouldTakeForFailedWhatThrowsOrHadNoEffect() throws Exception {
        ClosedLoop<Long> loop = new ClosedLoop<>(lane -> next.get() < 13 ? next.getAndIncrement() : null, number -> {
            if (number == 10) {
                throw new IllegalStateException("planted");
            }
            return CompletableFuture.completedFuture(number == 11);
        });
        LoopResult result = loop.describedBy(number -> "call " + number).run(1, drained(LONG));
        assertThat(result.latency().count()).isEqualTo(1);
        assertThat(result.failures())
                .containsExactly(
                        "call 10: java.lang.IllegalStateException: planted",
                        "call 12: it had no effect, or showed too little");
    }

    /** All lanes meet in each call: none may wait for another's thread. */
    @Test
    void shouldGiveBlockingLanesAThreadEach() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(3);
        Set<Thread> threads = Collections.synchronizedSet(new HashSet<>());
        int[] sent = new int[3];
        LoopResult result = new ClosedLoop<Integer>(lane -> sent[lane]++ < 5 ? lane : null, lane -> {
                    threads.add(Thread.currentThread());
                    barrier.await();
                    return CompletableFuture.completedFuture(true);
                })
                .inThreads()
                .run(3, drained(LONG));
        assertThat(result.latency().count()).isEqualTo(15);
        assertThat(threads).hasSize(3);
    }

    @Test
    void shouldTellOfCallsThatCannotBeMade() {
        Calls<Operation<?>> broken = lane -> {
            throw new IllegalStateException("planted");
        };
        assertThatThrownBy(() -> ClosedLoop.of(new InGroups(1, 0), broken).run(1, drained(LONG)))
                .hasStackTraceContaining("planted");
    }

    @Test
    void shouldBeginNoCallAfterTheFailureOfAPreparation() {
        long now = System.nanoTime();
        Span span = Span.untilFailure(now);
        Recorder recorder = new Recorder(span, 1);
        recorder.succeeded(0, now, now + 10);
        assertThat(span.isOver(now + 20)).isFalse();
        recorder.failed(now + 15, () -> "no");
        assertThat(span.isOver(now + 20)).isTrue();
    }

    @Test
    void shouldCountWhatEndsWithinTheSpanAndEveryFailure() {
        long now = System.nanoTime();
        Span span = Span.timed(now, Duration.ofNanos(1_000), Duration.ofNanos(1_000));
        Recorder recorder = new Recorder(span, 1);
        recorder.succeeded(0, now, now + 999);
        recorder.succeeded(0, now, now + 1_500);
        recorder.succeeded(0, now, now + 2_000);
        recorder.failed(now + 500, () -> "no");
        span.ranOut(now + 1_400);
        recorder.succeeded(0, now, now + 1_500);
        span.ended(now + 3_000);
        LoopResult result = recorder.result();
        assertThat(result.nanos().getTotalCount()).isEqualTo(1);
        assertThat(result.failed()).isEqualTo(1);
        assertThat(result.failures()).containsExactly("no");
        assertThat(result.seconds()).isEqualTo(400e-9);
    }
}
