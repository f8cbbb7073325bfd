package io.lambdafs.benchmarks.micro.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.hammer.loop.Calls;
import io.lambdafs.hammer.loop.ClosedLoop;
import io.lambdafs.hammer.loop.LoopResult;
import io.lambdafs.hammer.loop.Span;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The main class of the measuring process of one file system. The first line of its input names it; each further line
 * is a measurement, answered by the lines {@code begin}, {@code end} and {@code result}.
 */
public final class DriverMain implements Answering.Measurement {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(60);
    private static final long RETRY_MILLIS = 200;

    private final Consumer<ObjectNode> say;
    private final CpuClock cpu = new CpuClock();
    private final HadoopApi hadoop;
    private final @Nullable NativeApi own;
    private final Workloads workloads;
    private final FileSystem fileSystem;
    private final Path root;
    private final boolean cleanUp;

    private DriverMain(JsonNode target, Consumer<ObjectNode> say) throws IOException, InterruptedException {
        this.say = say;
        Configuration configuration = new Configuration();
        Iterator<String> keys = target.path("conf").fieldNames();
        while (keys.hasNext()) {
            String key = keys.next();
            configuration.set(key, target.path("conf").path(key).asText());
        }
        fileSystem = FileSystem.newInstance(URI.create(target.path("uri").asText()), configuration);
        hadoop = new HadoopApi(fileSystem);
        String client = target.path("client").asText("");
        own = client.isEmpty() ? null : new NativeApi(LambdaFs.open(ClientConfig.load(java.nio.file.Path.of(client))));
        root = new Path(target.path("root").asText());
        cleanUp = target.path("cleanUp").asBoolean();
        awaitAnswer();
        workloads = new Workloads(
                own == null ? hadoop : own,
                root.toString(),
                target.path("directories").asInt());
    }

    public static void main(String[] arguments) throws InterruptedException {
        Answering.run(DriverMain::new);
    }

    @Override
    public ObjectNode measure(JsonNode request) throws IOException, InterruptedException {
        boolean isNative = request.path("api").asText().equals("native");
        if (isNative && own == null) {
            throw new IOException("this file system has no native interface");
        }
        return isNative && own != null ? measured(own, request) : measured(hadoop, request);
    }

    @Override
    public void end() throws IOException {
        if (cleanUp) {
            fileSystem.delete(root, true);
        }
    }

    /** Waits for a first answer: a service that has just started may still refuse. */
    private void awaitAnswer() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + FIRST_ANSWER.toNanos();
        while (true) {
            try {
                if (fileSystem.mkdirs(root)) {
                    return;
                }
                throw new IOException("mkdirs " + root + " did nothing");
            } catch (IOException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        }
    }

    private <P> ObjectNode measured(Api<P> api, JsonNode request) throws IOException, InterruptedException {
        MicroOp op = MicroOp.of(request.path("op").asText()).orElseThrow();
        int lanes = request.path("lanes").asInt();
        Duration length = Duration.ofMillis(request.path("millis").asLong());
        Duration warmUp = op.usesUp()
                ? Duration.ZERO
                : Duration.ofMillis(request.path("warmUpMillis").asLong());
        Calls<Step<P>> workload =
                workloads.workload(op, lanes, length, request.path("seed").asLong(), api::path);
        Edges edges = new Edges();
        LoopResult outcome = api.loop(workload).run(lanes, Span.timed(System.nanoTime(), warmUp, length), edges);
        workloads.learn(op, lanes, outcome);
        return JSON.createObjectNode()
                .put("event", "result")
                .put("seconds", outcome.seconds())
                .put("failed", outcome.failed())
                .put("failure", outcome.failures().stream().findFirst().orElse(null))
                .put("cpuNanos", edges.cpuNanos)
                .put("machineLoad", edges.machineLoad)
                .put("nanos", encoded(outcome.nanos()));
    }

    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(buffer.array(), length));
    }

    /** Reads this process's clock at the span's start and end, and has the other process read the servers'. */
    private final class Edges implements ClosedLoop.Edges {
        private long cpuNanos;
        private double machineLoad;

        @Override
        public void begin() {
            say.accept(JSON.createObjectNode().put("event", "begin"));
            machineLoad = cpu.machineLoad();
            cpuNanos = -cpu.processNanos();
        }

        @Override
        public void end() {
            cpuNanos += cpu.processNanos();
            machineLoad = cpu.machineLoad();
            say.accept(JSON.createObjectNode().put("event", "end"));
        }
    }
}
