package io.lambdafs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.TransportUnderTest;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Netty transport with every buffer accounted for. */
final class NettyUnderTest implements TransportUnderTest {
    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    // Without thread caches, so that a buffer that was released is counted as such at once.
    private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true, 1, 1, 8192, 9, 0, 0, false);
    private final boolean nativeIo;
    private final @Nullable Tls tls;
    private final Duration distance;

    NettyUnderTest(boolean nativeIo) {
        this(nativeIo, null, Duration.ZERO);
    }

    /** @param tls between services */
    NettyUnderTest(boolean nativeIo, Tls tls) {
        this(nativeIo, tls, Duration.ZERO);
    }

    /** @param distance of each end */
    NettyUnderTest(boolean nativeIo, Duration distance) {
        this(nativeIo, null, distance);
    }

    private NettyUnderTest(boolean nativeIo, @Nullable Tls tls, Duration distance) {
        this.nativeIo = nativeIo;
        this.tls = tls;
        this.distance = distance;
    }

    @Override
    public Transport create(Codec codec, TransportLimits limits) {
        NettyTransport transport =
                new NettyTransport(codec, limits, allocator, new NettyTransport.Threads(2, "test-rpc", nativeIo));
        return (tls == null ? transport : transport.secured(tls, TlsPeers.SERVICES)).distant(distance);
    }

    @Override
    public long bufferedBytes() {
        return allocator.metric().usedDirectMemory() + allocator.metric().usedHeapMemory();
    }

    @Override
    public void assertNothingLeaked() {
        await().untilAsserted(() -> assertThat(activeAllocations()).isZero());
    }

    private long activeAllocations() {
        return Stream.of(allocator.metric().directArenas(), allocator.metric().heapArenas())
                .flatMap(arenas -> arenas.stream())
                .mapToLong(PoolArenaMetric::numActiveAllocations)
                .sum();
    }
}
