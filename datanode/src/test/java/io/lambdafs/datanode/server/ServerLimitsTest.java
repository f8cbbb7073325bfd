package io.lambdafs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.rpc.block.WriteChunk;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServerLimitsTest {
    @Test
    void shouldHaveRoomForOneReadOfTheMaximumSizeHoweverSmall() {
        ServerLimits least = new ServerLimits(WriteChunk.MAX_BYTES, WriteChunk.MAX_BYTES, Duration.ofSeconds(1));
        assertThat(least.readBytes()).isGreaterThanOrEqualTo(BlockReads.heldBytes(WriteChunk.MAX_BYTES));
    }
}
