package io.lambdafs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** A wire is full while bytes wait to be sent, and not when its channel is closed. */
class NettyWireTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final NettyWire wire = new NettyWire(channel);

    @Test
    void shouldNotBeWritableWhileTooManyBytesAreUnsent() {
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 2));
        channel.write(Unpooled.wrappedBuffer(new byte[3]));

        assertThat(wire.isWritable()).isFalse();
        channel.flush();
        assertThat(wire.isWritable()).isTrue();
    }

    /** Its requests are lost: one that is told to be one too many would be sent on it again. */
    @Test
    void shouldNotBeFullWhenItIsClosed() {
        channel.close();

        assertThat(channel.isWritable()).isFalse();
        assertThat(wire.isWritable()).isTrue();
    }
}
