package io.lambdafs.benchmarks.micro.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The measuring process. The first line of its input says which file system; each further line is a measurement, answered by the lines
 * {@code begin}, {@code end} and {@code result}. It ends with its input: at once, where that ends in the middle of a measurement.
 */
public final class DriverMain {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(60);
    private static final long RETRY_MILLIS = 200;

    private final PrintStream answers;
    private final CpuClock cpu = new CpuClock();
    private final HadoopApi hadoop;
    private final @Nullable NativeApi own;
    private final Workloads workloads;
    private final FileSystem fileSystem;
    private final Path root;

    private DriverMain(JsonNode target, PrintStream answers) throws IOException, InterruptedException {
        this.answers = answers;
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
        awaitAnswer();
        workloads = new Workloads(
                own == null ? hadoop : own,
                root.toString(),
                target.path("directories").asInt());
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream answers = System.out;
        // What libraries print must not be taken for an answer.
        System.setOut(System.err);
        Requests requests = new Requests(System.in, () -> Runtime.getRuntime().halt(1));
        Optional<String> first = requests.next();
        if (first.isEmpty()) {
            return;
        }
        try {
            JsonNode target = JSON.readTree(first.get());
            DriverMain driver = new DriverMain(target, answers);
            ObjectNode answer = JSON.createObjectNode().put("event", "ready");
            Optional<String> next;
            do {
                requests.done();
                driver.say(answer);
                next = requests.next();
                if (next.isPresent()) {
                    answer = driver.measured(JSON.readTree(next.get()));
                }
            } while (next.isPresent());
            if (target.path("cleanUp").asBoolean()) {
                driver.fileSystem.delete(driver.root, true);
            }
            System.exit(0);
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
            answers.println(JSON.createObjectNode().put("event", "broken").put("why", e.toString()));
            answers.flush();
            System.exit(1);
        }
    }

    /** A service that has only just started may still refuse. */
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

    private ObjectNode measured(JsonNode request) throws IOException, InterruptedException {
        boolean isNative = request.path("api").asText().equals("native");
        if (isNative && own == null) {
            throw new IOException("this file system has no native interface");
        }
        return isNative && own != null ? measured(own, request) : measured(hadoop, request);
    }

    private <P> ObjectNode measured(Api<P> api, JsonNode request) throws IOException, InterruptedException {
        MicroOp op = MicroOp.of(request.path("op").asText()).orElseThrow();
        int lanes = request.path("lanes").asInt();
        Duration length = Duration.ofMillis(request.path("millis").asLong());
        Duration warmUp = op.usesUp()
                ? Duration.ZERO
                : Duration.ofMillis(request.path("warmUpMillis").asLong());
        Workload<P> workload =
                workloads.workload(op, lanes, length, request.path("seed").asLong(), api::path);
        Edges edges = new Edges();
        Outcome outcome = api.run(workload, lanes, new Span(System.nanoTime(), warmUp, length), edges);
        workloads.learn(op, lanes, outcome);
        return JSON.createObjectNode()
                .put("event", "result")
                .put("seconds", outcome.seconds())
                .put("failed", outcome.failed())
                .put("failure", outcome.failure())
                .put("cpuNanos", edges.cpuNanos)
                .put("machineLoad", edges.machineLoad)
                .put("nanos", encoded(outcome.nanos()));
    }

    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(buffer.array(), length));
    }

    /** One line; the reader's other end is gone where it cannot be written, and so is what this process is for. */
    private void say(ObjectNode line) {
        answers.println(line);
        if (answers.checkError()) {
            System.exit(1);
        }
    }

    /** Reads this process's clock where the span begins and ends, and tells the other process to read the servers'. */
    private final class Edges implements Api.Bounds {
        private long cpuNanos;
        private double machineLoad;

        @Override
        public void begin() {
            say(JSON.createObjectNode().put("event", "begin"));
            machineLoad = cpu.machineLoad();
            cpuNanos = -cpu.processNanos();
        }

        @Override
        public void end() {
            cpuNanos += cpu.processNanos();
            machineLoad = cpu.machineLoad();
            say(JSON.createObjectNode().put("event", "end"));
        }
    }
}
