package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.driver.DriverMain;
import io.lambdafs.cluster.LogTail;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Controls the measuring process of one file system. Confined to one thread. */
final class Driver implements AutoCloseable {
    /** The heap limit of a measuring process. */
    static final int HEAP_MB = 768;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long ANSWER_LIMIT_MINUTES = 15;
    private static final long END_LIMIT_SECONDS = 120;
    private static final int MOST_ANSWERS = 1_000;
    private static final String END_OF_OUTPUT = "";

    private final Target target;
    private final Process process;
    private final Path log;
    private final PrintStream requests;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>(MOST_ANSWERS);

    private Driver(Target target, Process process, Path log) {
        this.target = target;
        this.process = process;
        this.log = log;
        this.requests = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "answers-of-" + target.name());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a measuring process, which creates its root directory.
     *
     * @param root directory for everything it creates in the file system
     * @param log file for its standard error
     */
    static Driver start(Target target, String root, int directories, Path log) throws InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(target.command(DriverMain.class, HEAP_MB))
                    .redirectError(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    ErrorCode.UNAVAILABLE,
                    "cannot start the measuring process of " + target.name() + ": " + e);
        }
        Driver driver = new Driver(target, process, log);
        ObjectNode first = JSON.createObjectNode()
                .put("uri", target.uri().toString())
                .put("root", root)
                .put("directories", directories)
                .put("cleanUp", !target.passing());
        target.configuration().forEach(first.putObject("conf")::put);
        if (target.client() != null) {
            first.put("client", target.client().toString());
        }
        driver.requests.println(first);
        driver.await("ready");
        return driver;
    }

    Target target() {
        return target;
    }

    /** Measures one round. Nothing else should run meanwhile. */
    Round measure(LaneKey lane, MicroSettings settings, long seed, boolean warmUp) throws InterruptedException {
        requests.println(JSON.createObjectNode()
                .put("api", lane.api())
                .put("op", lane.op().label())
                .put("lanes", lane.concurrency())
                .put("millis", warmUp ? settings.firstMillis() : settings.millis())
                .put("warmUpMillis", warmUp ? 0 : settings.warmUpMillis())
                .put("seed", seed));
        await("begin");
        Map<ProcessHandle, Duration> before = target.servers().cpu();
        Map<ProcessHandle, Duration> compilersBefore = CompilerTime.of(with(before.keySet()));
        await("end");
        Map<ProcessHandle, Duration> after = target.servers().cpu();
        Map<ProcessHandle, Duration> compilersAfter = CompilerTime.of(with(after.keySet()));
        JsonNode result = await("result");
        return new Round(
                decoded(result.path("nanos").asText()),
                result.path("failed").asLong(),
                result.path("failure").isNull() ? null : result.path("failure").asText(),
                result.path("seconds").asDouble(),
                result.path("cpuNanos").asLong() / 1e9,
                seconds(before, after),
                seconds(compilersBefore, compilersAfter),
                result.path("machineLoad").asDouble());
    }

    /** Returns the servers and the measuring process. */
    private List<ProcessHandle> with(Collection<ProcessHandle> servers) {
        return Stream.concat(Stream.of(process.toHandle()), servers.stream()).toList();
    }

    private static double seconds(Map<ProcessHandle, Duration> before, Map<ProcessHandle, Duration> after) {
        return after.isEmpty() ? Double.NaN : Servers.between(before, after).toNanos() / 1e9;
    }

    private static Histogram decoded(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException e) {
            throw new IllegalStateException("a measuring process sent no histogram", e);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                answers.put(line);
            }
            answers.put(END_OF_OUTPUT);
        } catch (IOException e) {
            boolean unused = answers.offer(END_OF_OUTPUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private JsonNode await(String event) throws InterruptedException {
        String line = answers.poll(ANSWER_LIMIT_MINUTES, TimeUnit.MINUTES);
        if (line == null) {
            throw broken("has not answered for " + ANSWER_LIMIT_MINUTES + " minutes");
        }
        if (line.equals(END_OF_OUTPUT)) {
            throw broken("has ended");
        }
        try {
            JsonNode answer = JSON.readTree(line);
            if (answer.path("event").asText().equals(event)) {
                return answer;
            }
            throw broken(answer.path("why").asText(line));
        } catch (JsonProcessingException e) {
            throw broken("said " + line);
        }
    }

    private CommandFailure broken(String why) {
        return new CommandFailure(
                ExitCode.FAILED,
                ErrorCode.UNAVAILABLE,
                "the measuring process of " + target.name() + ": " + why + LogTail.of(log));
    }

    /** Ends the process after it has cleaned up. */
    @Override
    public void close() {
        requests.close();
        try {
            if (!process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
