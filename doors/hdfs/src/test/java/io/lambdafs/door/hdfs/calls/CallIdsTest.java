package io.lambdafs.door.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.auth.Secret;
import org.junit.jupiter.api.Test;

class CallIdsTest {
    private static final byte[] CLIENT = {1, 2, 3};

    private final Secret secret = Secret.generate();
    private final CallIds ids = new CallIds(secret);
    private final RequestId id = ids.of(CLIENT, 5, "alice", 0);

    @Test
    void shouldBeTheSameAtEachDoorOfTheCluster() {
        assertThat(new CallIds(secret).of(CLIENT, 5, "alice", 0)).isEqualTo(id);
        assertThat(new CallIds(Secret.generate()).of(CLIENT, 5, "alice", 0)).isNotEqualTo(id);
    }

    @Test
    void shouldBeAnotherOneForAnotherCallClientOrUser() {
        assertThat(ids.of(CLIENT, 6, "alice", 0)).isNotEqualTo(id);
        assertThat(ids.of(new byte[] {1, 2, 4}, 5, "alice", 0)).isNotEqualTo(id);
        assertThat(ids.of(CLIENT, 5, "bob", 0)).isNotEqualTo(id);
        assertThat(ids.of(CLIENT, 5, "alice", 1)).isNotEqualTo(id);
    }

    @Test
    void shouldBeTheFirstOfItsSession() {
        assertThat(id.sequence()).isEqualTo(1);
        assertThat(id.slot()).isPositive();
    }
}
