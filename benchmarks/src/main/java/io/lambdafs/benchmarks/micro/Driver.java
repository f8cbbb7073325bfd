package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.driver.DriverMain;
import io.lambdafs.benchmarks.peers.Servers;
import io.lambdafs.benchmarks.peers.Target;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Controls the measuring process of one file system. Confined to one thread. */
final class Driver implements AutoCloseable {
    /** The heap limit of a measuring process. */
    static final int HEAP_MB = 768;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Dialogue dialogue;

    private Driver(Dialogue dialogue) {
        this.dialogue = dialogue;
    }

    /**
     * Starts a measuring process, which creates its root directory.
     *
     * @param root directory for everything it creates in the file system
     * @param log file for its standard error
     */
    static Driver start(Target target, String root, int directories, Path log) throws InterruptedException {
        Dialogue dialogue = new Dialogue(target, DriverMain.class, HEAP_MB, log);
        ObjectNode first = JSON.createObjectNode()
                .put("uri", target.uri().toString())
                .put("root", root)
                .put("directories", directories)
                .put("cleanUp", !target.passing());
        target.configuration().forEach(first.putObject("conf")::put);
        if (target.client() != null) {
            first.put("client", target.client().toString());
        }
        dialogue.ask(first);
        Driver driver = new Driver(dialogue);
        JsonNode unused = dialogue.await("ready");
        return driver;
    }

    Target target() {
        return dialogue.target();
    }

    /** Measures one round. Nothing else should run meanwhile. */
    Round measure(LaneKey lane, MicroSettings settings, long seed, boolean warmUp) throws InterruptedException {
        dialogue.ask(JSON.createObjectNode()
                .put("api", lane.api())
                .put("op", lane.op().label())
                .put("lanes", lane.concurrency())
                .put("millis", warmUp ? settings.firstMillis() : settings.millis())
                .put("warmUpMillis", warmUp ? 0 : settings.warmUpMillis())
                .put("seed", seed));
        Servers servers = target().servers();
        JsonNode unused = dialogue.await("begin");
        Map<ProcessHandle, Duration> before = servers.cpu();
        Map<ProcessHandle, Duration> compilersBefore = CompilerTime.of(with(before.keySet()));
        unused = dialogue.await("end");
        Map<ProcessHandle, Duration> after = servers.cpu();
        Map<ProcessHandle, Duration> compilersAfter = CompilerTime.of(with(after.keySet()));
        JsonNode result = dialogue.await("result");
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
        return Stream.concat(Stream.of(dialogue.process()), servers.stream()).toList();
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

    /** Ends the process after it has cleaned up. */
    @Override
    public void close() {
        dialogue.close();
    }
}
