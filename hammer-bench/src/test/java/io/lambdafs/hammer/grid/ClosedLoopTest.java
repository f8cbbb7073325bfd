package io.lambdafs.hammer.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.hammer.Target;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Operation;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ClosedLoopTest {
    private final List<FsPath> asked = new ArrayList<>();

    private static Operation<?> number(long number) {
        return new ReadOperation.Stat(FsPath.of("/f" + number));
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
                return CompletableFuture.failedFuture(
                        new FsException(ErrorCode.UNAVAILABLE, "planted " + asked.size()));
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
    void shouldHaveAsManyUnderWayAsThereAreClients() throws Exception {
        InGroups target = new InGroups(4, 0);
        ClosedLoop loop = new ClosedLoop(target, 4);
        double seconds = loop.run(10, 20, 60, ClosedLoopTest::number);
        assertThat(asked)
                .containsExactlyElementsOf(LongStream.range(10, 30)
                        .mapToObj(number -> FsPath.of("/f" + number))
                        .toList());
        assertThat(target.most).isEqualTo(4);
        assertThat(loop.latency().count()).isEqualTo(20);
        assertThat(loop.failed()).isZero();
        assertThat(seconds).isBetween(1e-6, 30.0);
    }

    @Test
    void shouldEndWhenTheTimeIsOver() throws Exception {
        ClosedLoop loop = new ClosedLoop(new InGroups(1, 0), 1);
        double seconds = loop.run(0, Long.MAX_VALUE, 0.05, ClosedLoopTest::number);
        assertThat(seconds).isBetween(0.05, 30.0);
        assertThat(loop.latency().count()).isEqualTo(asked.size()).isPositive();
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
        ClosedLoop loop = new ClosedLoop(slow, 2);
        assertThat(loop.run(0, 2, 60, ClosedLoopTest::number)).isBetween(0.05, 30.0);
        assertThat(loop.latency().count()).isEqualTo(2);
        assertThat(loop.latency().p50()).isBetween(50_000L, 30_000_000L);
    }

    @Test
    void shouldCountAllThatFailedAndDescribeTheFirst() throws Exception {
        ClosedLoop loop = new ClosedLoop(new InGroups(1, 7), 1);
        loop.run(0, 9, 60, ClosedLoopTest::number);
        assertThat(loop.failed()).isEqualTo(7);
        assertThat(loop.failures()).containsExactly("planted 1", "planted 2", "planted 3", "planted 4", "planted 5");
        assertThat(loop.latency().count()).isEqualTo(9);
    }
}
