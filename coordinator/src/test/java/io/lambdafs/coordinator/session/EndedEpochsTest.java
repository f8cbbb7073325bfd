package io.lambdafs.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.testkit.ProcessScheduler;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.StoreTransaction;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class EndedEpochsTest {
    private final SimulatedEnvironment environment = new SimulatedEnvironment(1);
    private int asked;

    /** A store that never answers. */
    private final MetadataStore silent = new MetadataStore() {
        @Override
        public StoreTransaction begin(long epoch) {
            throw new AssertionError();
        }

        @Override
        public CompletionStage<Void> fence(long epoch) {
            asked++;
            return new CompletableFuture<>();
        }

        @Override
        public void close() {}
    };

    @Test
    void shouldSayWhoDidNotAnswerAndAskAgainNextTime() {
        ProcessScheduler process = new ProcessScheduler(environment.clock());
        Coordinator coordinator = environment.connect(process);
        EndedEpochs ended = new EndedEpochs(
                new SessionContext(
                        coordinator,
                        environment.channel(process, "a", coordinator),
                        silent,
                        process,
                        environment.times()),
                new Roster(),
                process);
        ended.add(7);
        CompletableFuture<?> retired = ended.retire().toCompletableFuture();
        environment.pass(environment.times().attempt().minusMillis(1));
        assertThat(retired).isNotDone();
        environment.pass(environment.times().attempt());
        FsException why =
                FsException.of(retired.handle((value, failure) -> failure).join());
        assertThat(why.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(why).hasMessageContaining("while an epoch was retired");
        ended.retire();
        assertThat(asked).isEqualTo(2);
    }
}
