package io.lambdafs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
    /** A stack is shown for what is at fault alone. */
    @Test
    void shouldTellALostConnectionFromAFault() {
        assertThat(FrameDecoder.isLoss(new IOException("Connection reset by peer")))
                .isTrue();
        assertThat(FrameDecoder.isLoss(new ChannelException(new ClosedChannelException())))
                .isTrue();
        assertThat(FrameDecoder.isLoss(new ChannelException("no such option"))).isFalse();
        assertThat(FrameDecoder.isLoss(new IllegalStateException(new IOException("x"))))
                .isFalse();
    }
}
