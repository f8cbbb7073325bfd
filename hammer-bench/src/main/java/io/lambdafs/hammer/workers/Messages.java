package io.lambdafs.hammer.workers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.result.Part;
import io.lambdafs.hammer.result.Slice;
import io.lambdafs.hammer.workload.Arrivals;
import io.lambdafs.hammer.workload.LoadShape;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.hammer.workload.OperationMix;
import io.lambdafs.hammer.workload.Popularity;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/** The messages between master and worker, as JSON. Stateless. */
final class Messages {
    private Messages() {}

    /**
     * The work of a worker.
     *
     * @param tree on the worker's machine
     * @param target a directory for this worker only
     */
    record Task(Path tree, int maxFiles, int smallFileBytes, FsPath target, Workload workload) {}

    static ObjectNode task(Task task) {
        ObjectNode json = Wire.message("task")
                .put("tree", task.tree().toString())
                .put("maxFiles", task.maxFiles())
                .put("smallFileBytes", task.smallFileBytes())
                .put("target", task.target().toString());
        Workload workload = task.workload();
        ObjectNode load = json.putObject("workload")
                .put("shape", workload.shape().name())
                .put("arrivals", workload.arrivals().name())
                .put("nanos", workload.length().toNanos())
                .put("baseOps", workload.baseOps())
                .put("burstFactor", workload.burstFactor())
                .put("zipf", workload.popularity().zipfExponent())
                .put("hot", workload.popularity().hot())
                .put("seed", workload.seed())
                .put("part", workload.part());
        ObjectNode shares = load.putObject("operations");
        workload.mix().shares().forEach((kind, share) -> shares.put(kind.name(), share));
        return json;
    }

    static Task task(JsonNode json) {
        JsonNode load = json.path("workload");
        Map<OperationKind, Double> shares = new EnumMap<>(OperationKind.class);
        load.path("operations")
                .properties()
                .forEach(each -> shares.put(
                        OperationKind.valueOf(each.getKey()), each.getValue().asDouble()));
        return new Task(
                Path.of(json.path("tree").asText()),
                json.path("maxFiles").asInt(),
                json.path("smallFileBytes").asInt(),
                FsPath.of(json.path("target").asText()),
                new Workload(
                        OperationMix.of("the master's mix", shares),
                        LoadShape.valueOf(load.path("shape").asText()),
                        Arrivals.valueOf(load.path("arrivals").asText()),
                        Duration.ofNanos(load.path("nanos").asLong()),
                        load.path("baseOps").asDouble(),
                        load.path("burstFactor").asDouble(),
                        new Popularity(
                                load.path("zipf").asDouble(), load.path("hot").asDouble()),
                        load.path("seed").asLong(),
                        load.path("part").asInt(),
                        Duration.ZERO));
    }

    static ObjectNode part(Part part) {
        ObjectNode json = Wire.message("part")
                .put("seconds", part.seconds())
                .put("offered", part.offered())
                .put("done", part.done())
                .put("waiting", part.waiting())
                .put("failed", part.failed())
                .put("hits", part.requests().hits())
                .put("misses", part.requests().misses())
                .put("sent", part.requests().sent())
                .put("byHttp", part.requests().byHttp());
        histograms(json.putObject("burst"), part.slice().burst());
        histograms(json.putObject("calm"), part.slice().calm());
        return json;
    }

    static Part part(JsonNode json) throws IOException {
        Slice slice = new Slice();
        histograms(slice.burst(), json.path("burst"));
        histograms(slice.calm(), json.path("calm"));
        return new Part(
                json.path("seconds").asDouble(),
                json.path("offered").asLong(),
                json.path("done").asLong(),
                json.path("waiting").asLong(),
                json.path("failed").asLong(),
                new Part.Requests(
                        json.path("hits").asLong(),
                        json.path("misses").asLong(),
                        json.path("sent").asLong(),
                        json.path("byHttp").asLong()),
                slice);
    }

    private static void histograms(ObjectNode json, Map<OperationKind, Histogram> histograms) {
        histograms.forEach((kind, histogram) -> {
            ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
            int length = histogram.encodeIntoCompressedByteBuffer(bytes, Deflater.BEST_SPEED);
            json.put(kind.label(), Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(bytes.array(), length)));
        });
    }

    private static void histograms(Map<OperationKind, Histogram> histograms, JsonNode json) throws IOException {
        try {
            for (Map.Entry<String, JsonNode> each : json.properties()) {
                histograms.put(
                        OperationKind.valueOf(each.getKey().toUpperCase(Locale.ROOT)),
                        Histogram.decodeFromCompressedByteBuffer(
                                ByteBuffer.wrap(Base64.getDecoder()
                                        .decode(each.getValue().asText())),
                                1));
            }
        } catch (DataFormatException | IllegalArgumentException e) {
            throw new IOException("a part that is none: " + e, e);
        }
    }
}
