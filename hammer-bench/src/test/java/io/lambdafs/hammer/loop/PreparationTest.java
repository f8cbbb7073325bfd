package io.lambdafs.hammer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class PreparationTest {
    private final MemoryFileSystem files = new MemoryFileSystem();

    @Test
    void shouldWaitForAllAnswers() throws Exception {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger answered = new AtomicInteger();
        Target late = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                return CompletableFuture.supplyAsync(
                        () -> {
                            inFlight.decrementAndGet();
                            answered.incrementAndGet();
                            return files.apply(operation);
                        },
                        CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
            }
        };
        Preparation.send(
                late, Stream.generate(() -> new ReadOperation.Stat(FsPath.ROOT)).limit(300));
        assertThat(answered).hasValue(300);
        // No more than 256 are in flight.
        assertThat(most.get()).isBetween(2, 256);
    }

    @Test
    void shouldEndWithTheFirstFailure() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Target broken = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                return CompletableFuture.failedFuture(FsException.unavailable("planted " + asked.incrementAndGet()));
            }
        };
        assertThatThrownBy(() -> Preparation.send(
                        broken,
                        Stream.generate(() -> new ReadOperation.Stat(FsPath.ROOT))
                                .limit(1_000)))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("planted 1");
        assertThat(asked).hasValueLessThan(1_000);
    }
}
