package io.lambdafs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.block.WriteChunk;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerLimitsTest {
    @Test
    void shouldHaveRoomForOneReadOfTheMaximumSizeHoweverSmall() {
        ServerLimits least = new ServerLimits(WriteChunk.MAX_BYTES, WriteChunk.MAX_BYTES, Duration.ofSeconds(1));
        assertThat(least.readBytes()).isEqualTo(BlockReads.heldBytes(WriteChunk.MAX_BYTES));
        assertThat(ServerLimits.DEFAULT.readBytes()).isEqualTo(32 << 20);
    }

    @Test
    void shouldTakeThreeEighthsOfTheMemoryWithinBounds() {
        assertThat(ServerLimits.of(80 << 20)).isEqualTo(new ServerLimits(1 << 20, 30 << 20, Duration.ofMinutes(1)));
        assertThat(ServerLimits.of(0).bufferBytes()).isEqualTo(8 << 20);
        assertThat(ServerLimits.of(Long.MAX_VALUE)).isEqualTo(ServerLimits.DEFAULT);
    }

    @Test
    void shouldRefuseWhatCannotWork() {
        long buffer = 2L * WriteChunk.MAX_BYTES;
        assertThat(new ServerLimits(2 << 20, buffer, Duration.ofMillis(1)).windowBytes())
                .isEqualTo(2 << 20);
        assertRefused((1 << 20) - 1, buffer, Duration.ofSeconds(1));
        assertRefused(2 << 20, buffer - 1, Duration.ofSeconds(1));
        assertRefused(1 << 20, buffer, Duration.ofNanos(999_999));
    }

    private static void assertRefused(int window, long buffer, Duration idle) {
        assertThatThrownBy(() -> new ServerLimits(window, buffer, idle)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldBoundWhatAConnectionKeepsInFlight() {
        TransportLimits limits = ServerLimits.transport();

        assertThat(limits.maxInFlightPerConnection()).isEqualTo(256);
        assertThat(limits.maxConnections()).isEqualTo(2_048);
        assertThat(List.of(limits.lowWaterMark(), limits.highWaterMark(), limits.maxPendingBytes()))
                .containsExactly(1 << 20, 4 << 20, 16 << 20);
    }
}
