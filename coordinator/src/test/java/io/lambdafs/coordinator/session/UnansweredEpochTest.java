package io.lambdafs.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.testkit.Journal;
import io.lambdafs.coordinator.testkit.ProcessScheduler;
import io.lambdafs.coordinator.testkit.RecordingListener;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.coordinator.testkit.TestInstance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * <pre>
 *   a: take epoch n --commit breaks, nothing happened--> join fails ----------------- joins again under n + 1
 *   b:                                                     takes n, joins, is live ------------------- live still
 * </pre>
 */
class UnansweredEpochTest {
    private final SimulatedEnvironment environment = new SimulatedEnvironment(1);

    /** A store whose first commit breaks before it reaches it. */
    private static final class BreakingStore implements MetadataStore {
        private final MetadataStore inner;
        private boolean broken;

        BreakingStore(MetadataStore inner) {
            this.inner = inner;
        }

        @Override
        public StoreTransaction begin(long epoch) {
            StoreTransaction transaction = inner.begin(epoch);
            return new StoreTransaction() {
                @Override
                public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
                    return transaction.read(reads, lockWaitNanos);
                }

                @Override
                public CompletionStage<List<Row>> scan(Scan scan) {
                    return transaction.scan(scan);
                }

                @Override
                public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
                    if (broken) {
                        return transaction.commit(mutations, deadlineMillis);
                    }
                    broken = true;
                    transaction.abort();
                    return CompletableFuture.failedFuture(
                            new FsException(ErrorCode.CONNECTION_LOST, "the answer to a commit was lost"));
                }

                @Override
                public void abort() {
                    transaction.abort();
                }
            };
        }

        @Override
        public CompletionStage<Void> fence(long epoch) {
            return inner.fence(epoch);
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    @Test
    void shouldNotEndTheEpochThatAnotherInstanceGotInItsPlace() {
        ProcessScheduler process = new ProcessScheduler(environment.clock());
        Coordinator coordinator = environment.connect(process);
        EpochSession a = new EpochSession(
                new InstanceIdentity(0, "a"),
                new SessionContext(
                        coordinator,
                        environment.channel(process, "a", coordinator),
                        new BreakingStore(environment.store()),
                        process,
                        environment.times()));
        a.attach(new RecordingListener());
        TestInstance b = new TestInstance(environment, "b", new Journal());

        CompletableFuture<Long> first = a.join().toCompletableFuture();
        environment.await("the first attempt fails", first::isDone);
        assertThat(first).isCompletedExceptionally();
        long epoch = b.join();
        environment.await("a joins after all", () -> a.epoch() != 0);
        environment.pass(Duration.ofSeconds(3));

        assertThat(a.epoch()).isNotEqualTo(epoch);
        assertThat(b.session().epoch()).isEqualTo(epoch);
        assertThat(b.isLiveUnder(epoch)).isTrue();
        assertThat(a.view().members()).containsKey(epoch);
        assertThat(TestInstance.isAlive(environment, epoch)).isTrue();
    }
}
