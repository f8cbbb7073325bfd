package io.lambdafs.rpc.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class TracingTest {
    private static final TraceParent PARENT =
            new TraceParent(0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0xb7ad6b7169203331L);
    private static final OperationRequest REQUEST =
            new OperationRequest(3, new RequestId(1, 2, 3, 4), 1, 5, new ReadOperation.Stat(FsPath.of("/a/b")), 7);

    private static byte[] bytes(OperationRequest request) {
        WireWriter out = new WireWriter();
        RpcMessages.codec().write(out, request);
        return out.toByteArray();
    }

    @Test
    void shouldAllocateNothingWhereItIsOff() {
        assertThat(Tracing.isAsked()).isFalse();
        Tracing tracing = Tracing.process();
        assertThat(tracing).isSameAs(Tracing.OFF);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100_000; i++) {
                if (tracing.first("stat") != null || tracing.below(PARENT, Tracing.Part.STORE, "read") != null) {
                    throw new AssertionError("a span where there are none");
                }
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        // What the measurement itself takes; one object per call would be more than a million.
        assertThat(least).isLessThan(10_000);
    }

    @Test
    void shouldTravelWithARequestAndTakeNoByteOfOthers() {
        Codec codec = RpcMessages.codec();
        OperationRequest traced = REQUEST.below(PARENT);
        assertThat(codec.read(new WireReader(bytes(traced)))).isEqualTo(traced);
        assertThat(codec.read(new WireReader(bytes(REQUEST)))).isEqualTo(REQUEST);
        // A mark and three numbers.
        assertThat(bytes(traced)).hasSize(bytes(REQUEST).length + 25);
    }

    @Test
    void shouldBeWrittenAsTheHeaderThatOthersKnow() {
        String text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assertThat(PARENT.text()).isEqualTo(text);
        assertThat(TraceParent.of(text)).contains(PARENT);
        assertThat(TraceParent.of(text.replace("-01", "-00"))).isEmpty();
        assertThat(TraceParent.of("00-" + "0".repeat(32) + "-b7ad6b7169203331-01"))
                .isEmpty();
        assertThat(TraceParent.of("nonsense")).isEmpty();
    }

    @Test
    void shouldMakeSpansBelowOthersWhereACollectorIsNamed() {
        Tracing tracing = new OtlpTracing("http://127.0.0.1:1/", 1, "test");
        Traced first = tracing.first("create");
        assertThat(first).isNotNull();
        Traced second = tracing.below(first.context(), Tracing.Part.NAMENODE, "create");
        assertThat(second).isNotNull();
        assertThat(second.context().high()).isEqualTo(first.context().high());
        assertThat(second.context().low()).isEqualTo(first.context().low());
        assertThat(second.context().span()).isNotEqualTo(first.context().span());
        assertThat(new OtlpTracing("http://127.0.0.1:1", 0, "test").first("create"))
                .isNull();
        second.end("UNAVAILABLE");
        first.end(null);
    }
}
