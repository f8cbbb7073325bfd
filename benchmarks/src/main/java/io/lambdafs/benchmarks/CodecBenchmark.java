package io.lambdafs.benchmarks;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.RpcMessages;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Encodes and decodes the request and reply of a stat. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {
    private final Codec codec = RpcMessages.codec();
    private final WireWriter out = new WireWriter();
    private final byte[] requestBytes = bytes(StatMessages.REQUEST);
    private final byte[] replyBytes = bytes(StatMessages.REPLY);

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
        return written(StatMessages.REQUEST);
    }

    @Benchmark
    public Message readRequest() {
        return codec.read(new WireReader(requestBytes));
    }

    @Benchmark
    public int writeReply() {
        return written(StatMessages.REPLY);
    }

    @Benchmark
    public Message readReply() {
        return codec.read(new WireReader(replyBytes));
    }
}
