package io.lambdafs.store.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfirmedLeasesTest {
    private final MemoryStore store = new MemoryStore(new ManualScheduler());

    private Object confirmed(long epoch) {
        return ConfirmedLeases.confirm(store, epoch)
                .handle((done, failure) ->
                        failure == null ? "confirmed" : FsException.of(failure).code())
                .toCompletableFuture()
                .join();
    }

    @Test
    void shouldConfirmWhatTheStoreHasAndNothingElse() {
        Row instance = new Row(Rows.instanceKey(7), 0L, "an instance", 0L);
        store.begin(0).commit(List.of(new Mutation.Put(instance)), Long.MAX_VALUE);
        assertThat(confirmed(7)).isEqualTo("confirmed");
        assertThat(confirmed(8)).isEqualTo(ErrorCode.FENCED);
        store.fence(7).toCompletableFuture().join();
        assertThat(confirmed(7)).isEqualTo(ErrorCode.FENCED);
    }
}
