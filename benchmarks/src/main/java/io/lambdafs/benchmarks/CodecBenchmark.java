package io.lambdafs.benchmarks;

import io.lambdafs.model.Attributes;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Reply;
import io.lambdafs.model.RequestId;
import io.lambdafs.rpc.Codec;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.OperationReply;
import io.lambdafs.rpc.OperationRequest;
import io.lambdafs.rpc.RpcMessages;
import io.lambdafs.rpc.WireReader;
import io.lambdafs.rpc.WireWriter;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A stat's request and reply, written and read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {
    private final Codec codec = RpcMessages.codec();
    private final WireWriter out = new WireWriter();
    private final Message request = new OperationRequest(
            1,
            new RequestId(0x123456789abcdefL, 0xfedcba987654321L, 17, 12_345),
            1,
            1_700_000_000_000L,
            new Operation.Stat(FsPath.of("/spotify0/playlist/country1/day00042/hour0017/part0099")));
    private final Message reply = new OperationReply(
            2,
            7,
            true,
            new Reply.Status(new Attributes(
                    "part0099",
                    1_234_567,
                    INode.Kind.FILE,
                    "alice",
                    "users",
                    0644,
                    0,
                    1_700_000_000_000L,
                    1_700_000_000_000L,
                    3,
                    128L << 20,
                    INode.Content.NONE,
                    0)));
    private final byte[] requestBytes = bytes(request);
    private final byte[] replyBytes = bytes(reply);

    private byte[] bytes(Message message) {
        WireWriter writer = new WireWriter();
        codec.write(writer, message);
        return writer.toByteArray();
    }

    private int written(Message message) {
        out.reset();
        codec.write(out, message);
        return out.size();
    }

    @Benchmark
    public int writeRequest() {
        return written(request);
    }

    @Benchmark
    public Message readRequest() {
        return codec.read(new WireReader(requestBytes));
    }

    @Benchmark
    public int writeReply() {
        return written(reply);
    }

    @Benchmark
    public Message readReply() {
        return codec.read(new WireReader(replyBytes));
    }
}
