package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How many bytes an operation that the cache answers allocates, from the request's bytes to those of the reply. Unlike times, that is the
 * same on every machine; who makes the way longer meets these bounds, which are about a quarter above what was
 * measured with the first compiler alone.
 *
 * <pre>
 *   bytes --decode--> request --walk of the trie--> reply --encode--> bytes
 * </pre>
 */
class AllocationTest {
    private static final int BATCHES = 30;
    private static final int BATCH = 2_000;
    private static final int ENTRIES = 16;

    private final Codec codec = RpcMessages.codec();
    private final SimulatedCluster cluster = new SimulatedCluster(1, 1);
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Instance instance = cluster.start(0);

    @BeforeEach
    void fill() {
        cluster.call(new NamespaceOperation.Mkdirs(FsPath.of("/user/alice/warehouse"), 0755, true));
        for (int i = 0; i < ENTRIES; i++) {
            cluster.call(new FileOperation.Create(file(i), 0644, false, false, 1, 1 << 27, new byte[0], null));
        }
    }

    private static FsPath file(int number) {
        return FsPath.of("/user/alice/warehouse/part-0000" + number);
    }

    /** Bytes per operation, of the batch that allocated least: by then everything has been compiled. */
    private long bytes(Operation<?> operation) {
        // The first look fills.
        instance.call(operation);
        assertThat(instance.hits(operation)).isTrue();
        WireWriter request = new WireWriter();
        RequestId id = new RequestId(1, 2, 0, 1);
        codec.write(request, new OperationRequest(0, id, 1, cluster.scheduler.currentTimeMillis() + 60_000, operation));
        byte[] encoded = request.toByteArray();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < BATCHES; i++) {
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int j = 0; j < BATCH; j++) {
                answer(encoded);
            }
            long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, (after - before) / BATCH);
        }
        return least;
    }

    private void answer(byte[] encoded) {
        OperationRequest request = (OperationRequest) codec.read(new WireReader(encoded));
        AtomicReference<OperationReply> reply = new AtomicReference<>();
        instance.nameNode.execute(SimulatedCluster.ROOT, request, reply::set);
        WireWriter out = new WireWriter();
        codec.write(out, reply.get());
    }

    @Test
    void shouldAllocateLittleForAStat() {
        assertThat(bytes(new ReadOperation.Stat(file(3)))).isLessThan(1_450);
    }

    @Test
    void shouldAllocateLittleForAnOpen() {
        assertThat(bytes(new ReadOperation.Open(file(3)))).isLessThan(1_480);
    }

    @Test
    void shouldAllocateLittleForEachEntryOfAListing() {
        Operation<?> listing = new ReadOperation.ListPage(FsPath.of("/user/alice/warehouse"), "", 1_000);
        assertThat(bytes(listing) / ENTRIES).isLessThan(480);
    }
}
