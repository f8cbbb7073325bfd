package io.lambdafs.store.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.DeafPeer;
import io.lambdafs.rpc.message.Proof;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.memory.MemoryStore;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocatorMetric;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Clients of a store server that ask and do not read. */
class DeafClientsTest {
    private static final int HELD = 24 << 20;
    private static final int MOST_MORE = 32 << 20;
    private static final int CLIENTS = 12;
    private static final Key ROW = Schema.SMALL_FILES.key(1L, 1L);

    private long lastTransaction;

    private StoreMessage.Name transaction() {
        return new StoreMessage.Name(++lastTransaction, true, 0);
    }

    /** Asks for a MiB. */
    private boolean read(DeafPeer peer) throws Exception {
        return peer.ask(new StoreMessage.ReadAndEnd(transaction(), Collections.nCopies(16, Read.unlocked(ROW)), 0));
    }

    @Test
    void shouldHoldOnlySoMuchForClientsThatDoNotRead() throws Exception {
        List<DeafPeer> deaf = new ArrayList<>();
        try (ThreadScheduler scheduler = new ThreadScheduler();
                MemoryStore store = new MemoryStore(scheduler, StoreLimits.defaults());
                NettyTransport serving = new NettyTransport(
                        StoreMessages.codec(), 1, "server", TransportLimits.DEFAULT.withMaxHeldBytes(HELD));
                StoreServer server = StoreServer.start(
                                store,
                                serving,
                                Tokens.insecure(),
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .toCompletableFuture()
                        .join()) {
            PooledByteBufAllocatorMetric buffers = PooledByteBufAllocator.DEFAULT.metric();
            long before = buffers.usedDirectMemory();
            for (int i = 0; i < CLIENTS; i++) {
                DeafPeer peer = new DeafPeer(server.address(), StoreMessages.codec());
                deaf.add(peer);
                peer.ask(new Proof("mine", ""));
                peer.ask(new Proof("mine", ""));
            }
            Row row = new Row(ROW, new byte[64 << 10]);
            deaf.get(0).ask(new StoreMessage.Commit(transaction(), List.of(new Mutation.Put(row)), Long.MAX_VALUE));

            AtomicInteger closed = new AtomicInteger();
            await().until(() -> {
                for (DeafPeer each : deaf) {
                    for (int i = 0; i < 5; i++) {
                        closed.addAndGet(read(each) ? 0 : 1);
                    }
                }
                assertThat(buffers.usedDirectMemory() - before).isLessThan(HELD + MOST_MORE);
                return closed.get() > 0;
            });

            try (DeafPeer other = new DeafPeer(server.address(), StoreMessages.codec())) {
                other.ask(new Proof("mine", ""));
                other.ask(new Proof("mine", ""));
                read(other);
                assertThat(other.read(1 << 20)).isTrue();
            }
        } finally {
            for (DeafPeer each : deaf) {
                each.close();
            }
        }
    }
}
