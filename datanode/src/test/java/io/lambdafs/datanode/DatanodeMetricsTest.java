package io.lambdafs.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.cache.CachedBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.store.block.LiveDatanodes;
import io.lambdafs.store.memory.MemoryStore;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatanodeMetricsTest {
    private final DatanodeMetrics metrics = new DatanodeMetrics();

    private HttpReply page(String path) {
        HttpCall call = new HttpCall("GET", path, Map.of(), Map.of(), new byte[0], new InetSocketAddress(0));
        return metrics.handle(call).toCompletableFuture().join();
    }

    private static String text(HttpReply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldCountWhatTheServerDoes() {
        metrics.wrote(7);
        metrics.wrote(4);
        metrics.read(5, 2_000_000_000L);
        metrics.finished(3_000_000_000L);
        metrics.failed(ErrorCode.OVERLOADED);

        assertThat(page("/metrics").status()).isEqualTo(200);
        assertThat(text(page("/metrics")).lines())
                .contains(
                        "lambdafs_datanode_written_bytes_total 11.0",
                        "lambdafs_datanode_read_bytes_total 5.0",
                        "lambdafs_datanode_reads_seconds_count 1",
                        "lambdafs_datanode_reads_seconds_sum 2.0",
                        "lambdafs_datanode_blocks_seconds_sum 3.0",
                        "lambdafs_datanode_failures_total{code=\"" + ErrorCode.OVERLOADED.label() + "\"} 1.0",
                        "lambdafs_datanode_failures_total{code=\"" + ErrorCode.BLOCK_CORRUPT.label() + "\"} 0.0")
                .anyMatch(line -> line.startsWith("lambdafs_datanode_reads_seconds_bucket"));
    }

    @Test
    void shouldCountWhatCopiesAnswer(@TempDir Path folder) {
        try (CachedBlockStore cached = CachedBlockStore.of(new MemoryBlockStore(), folder, 1_000)) {
            metrics.watch(cached);
            try (BlockStore.Upload upload = cached.upload("k")) {
                upload.write(new byte[10], 0, 10);
                upload.commit();
            }
            cached.read("k", 0, new byte[10], 0, 10);
            cached.read("k", 0, new byte[10], 0, 10);
            cached.dropCopy("k");
            cached.read("k", 0, new byte[10], 0, 10);
            try (BlockStore.Upload upload = cached.upload("l")) {
                upload.write(new byte[10], 0, 10);
                upload.commit();
            }

            assertThat(text(page("/metrics")).lines())
                    .contains(
                            "lambdafs_datanode_cache_hits_total 2.0",
                            "lambdafs_datanode_cache_misses_total 1.0",
                            "lambdafs_datanode_cache_bytes 10.0");
        }
    }

    @Test
    void shouldBeHealthyWhileHeartbeatsAreWritten() {
        AtomicBoolean gone = new AtomicBoolean();
        ManualScheduler scheduler = new ManualScheduler();
        BlockStore disk = new ForwardingBlockStore(new MemoryBlockStore()) {
            @Override
            public Space space() {
                if (gone.get()) {
                    throw FsException.unavailable("the disk is gone");
                }
                return super.space();
            }
        };
        Heartbeats heartbeats = new Heartbeats(
                new MemoryStore(scheduler), scheduler, new DatanodeAddress("dn-1", "a-host", 9_000), disk, "s");
        assertHealth(200, "ok\n");
        metrics.watch(heartbeats);
        heartbeats.start();
        assertHealth(200, "ok\n");

        gone.set(true);
        scheduler.advance(LiveDatanodes.HEARTBEAT_NANOS);
        assertHealth(503, "no heartbeat: the disk is gone\n");
        gone.set(false);
        scheduler.advance(LiveDatanodes.HEARTBEAT_NANOS);
        assertHealth(200, "ok\n");
    }

    private void assertHealth(int status, String text) {
        assertThat(page("/healthz").status()).isEqualTo(status);
        assertThat(text(page("/healthz"))).isEqualTo(text);
    }

    @Test
    void shouldNameItsPagesToWhoAsksForAnother() {
        assertThat(page("/").status()).isEqualTo(404);
        assertThat(text(page("/"))).contains("/metrics", "/healthz");
    }
}
