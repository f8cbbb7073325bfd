package io.lambdafs.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.inode.StoragePolicies;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClusterIdTest {
    private final MemoryStore metadata = new MemoryStore(new ManualScheduler());

    @AfterEach
    void close() {
        metadata.close();
    }

    /** Whoever read it keeps nobody else from reading it. */
    @Test
    void shouldBeMadeByItsFirstReaderAndStay() {
        String made = ClusterId.of(metadata).toCompletableFuture().join();

        assertThat(UUID.fromString(made)).hasToString(made);
        for (int i = 0; i < 3; i++) {
            assertThat(ClusterId.of(metadata).toCompletableFuture()).isCompletedWithValue(made);
        }
        assertThat(ClusterId.in(metadata.rows())).contains(made);
        assertThat(ClusterId.in(List.of())).isEmpty();
    }

    @Test
    void shouldTellTheNamedStoresOfAClusterApart() {
        assertThat(ClusterId.owner("c", "local")).isEqualTo("c");
        assertThat(ClusterId.owner("c", StoragePolicies.store("Cold"))).isEqualTo("c policy:cold");
    }
}
