package io.lambdafs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.kryonet.KryoTransport;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Ping;
import io.lambdafs.rpc.message.RpcMessages;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DelayLineTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(4);
    private static final ConnectionHandler ECHO = (connection, message, reply) -> reply.accept(message);
    private static final Codec CODEC =
            Ping.register(RpcMessages.register(Codec.builder())).build();

    private final NettyTransport transport = new NettyTransport(CODEC, 1, "test-io", TransportLimits.DEFAULT);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private long nanos;

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        transport.close();
    }

    private void pass(long forward) {
        nanos += forward;
        channel.advanceTimeBy(forward, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    private static ByteBuf bytes(int count) {
        return Unpooled.buffer(count).writeZero(count);
    }

    private int arrived() {
        int count = 0;
        ByteBuf next = channel.readInbound();
        while (next != null) {
            count += next.readableBytes();
            next.release();
            next = channel.readInbound();
        }
        return count;
    }

    private void delayBy(long delayNanos) {
        channel.freezeTime();
        channel.pipeline().addLast(new DelayLine(delayNanos, () -> nanos));
    }

    @Test
    void shouldHandOnWhatHasArrivedAfterTheDelayAndNotBefore() {
        delayBy(5 * MILLI);
        channel.writeInbound(bytes(1));
        pass(2 * MILLI);
        channel.writeInbound(bytes(10));
        pass(3 * MILLI - 1);
        assertThat(arrived()).isZero();
        pass(1);
        assertThat(arrived()).isEqualTo(1);
        pass(2 * MILLI - 1);
        assertThat(arrived()).isZero();
        pass(1);
        assertThat(arrived()).isEqualTo(10);
    }

    @Test
    void shouldReadNoMoreWhileTooMuchWaits() {
        delayBy(MILLI);
        channel.writeInbound(bytes(DelayLine.MOST_WAITING));
        assertThat(channel.config().isAutoRead()).isTrue();
        channel.writeInbound(bytes(1));
        assertThat(channel.config().isAutoRead()).isFalse();
        pass(MILLI);
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(arrived()).isEqualTo(DelayLine.MOST_WAITING + 1);
    }

    @Test
    void shouldHandOnWhatWaitsBeforeTheLossOfTheConnection() {
        delayBy(MILLI);
        channel.writeInbound(bytes(3));
        channel.close();
        assertThat(arrived()).isEqualTo(3);
        pass(MILLI);
        assertThat(arrived()).isZero();
    }

    @Test
    void shouldReleaseWhatWaitsWhenItIsRemoved() {
        delayBy(MILLI);
        ByteBuf waits = bytes(3);
        channel.writeInbound(waits);
        channel.pipeline().remove(DelayLine.class);
        assertThat(waits.refCnt()).isZero();
    }

    private Connection connection(Transport dialling) {
        Transport.Listener listener = transport
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ECHO)
                .toCompletableFuture()
                .join();
        return dialling.connect(listener.address(), ECHO).toCompletableFuture().join();
    }

    /** Requests that are sent together pay for one round trip, for they travel together. */
    @Test
    void shouldAddItsRoundTripToEveryRequestAndKeepTheirOrder() {
        long roundTrip = 20 * MILLI;
        Connection connection = connection(transport.distant(Duration.ofNanos(roundTrip)));
        List<Integer> order = new ArrayList<>();
        long start = System.nanoTime();
        List<CompletionStage<Message>> replies = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            CompletionStage<Message> reply = connection.request(Ping.of(i), PATIENCE);
            replies.add(reply.whenComplete((message, failure) -> order.add(((Ping) message).number())));
        }
        replies.forEach(each -> each.toCompletableFuture().join());
        long took = System.nanoTime() - start;
        assertThat(took).isBetween(roundTrip, 200 * roundTrip);
        assertThat(order).isSorted().hasSize(1_000);
        for (int i = 0; i < 5; i++) {
            start = System.nanoTime();
            connection.request(Ping.of(i), PATIENCE).toCompletableFuture().join();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(roundTrip);
        }
    }

    @Test
    void shouldLeaveATransportWithoutDistanceAsItIs() {
        assertThat(transport.distant(Duration.ZERO)).isSameAs(transport);
        Transport near = transport.distant(Duration.ofMillis(1));
        assertThat(near.distant(Duration.ZERO)).isSameAs(near);
    }

    @Test
    void shouldBeRefusedByATransportThatHasNone() {
        Transport kryo = new KryoTransport(CODEC, "test-kryo", TransportLimits.DEFAULT);
        try {
            assertThat(kryo.distant(Duration.ZERO)).isSameAs(kryo);
            assertThatThrownBy(() -> kryo.distant(Duration.ofMillis(1)))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED));
        } finally {
            kryo.close();
        }
    }
}
