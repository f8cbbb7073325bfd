package io.lambdafs.benchmarks.phases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.driver.Answering;
import io.lambdafs.benchmarks.peers.IndexServers;
import io.lambdafs.hammer.phases.Phase;
import io.lambdafs.hammer.phases.PhaseResult;
import io.lambdafs.hammer.phases.PhaseTarget;
import io.lambdafs.hammer.phases.PhasesBench;
import io.lambdafs.hammer.phases.PhasesSettings;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * The main class of the measuring process of one file system: the first line of its input names it, each further line
 * is an experiment.
 */
public final class PhasesMain {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PhasesMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        Answering.run((told, say) -> {
            PhaseTarget target = target(told);
            return asked -> run(target, asked);
        });
    }

    private static PhaseTarget target(JsonNode told) throws IOException {
        if (told.has("client")) {
            return OwnClient.open(Path.of(told.path("client").asText()));
        }
        URI uri = URI.create(told.path("uri").asText());
        if (IndexServers.NAME.equals(uri.getScheme())) {
            return IndexClient.open(told.path("conf"));
        }
        Configuration configuration = new Configuration();
        // Not properties(): other file systems may bring an older Jackson.
        JsonNode given = told.path("conf");
        given.fieldNames()
                .forEachRemaining(key -> configuration.set(key, given.path(key).asText()));
        return new HadoopTarget(FileSystem.newInstance(uri, configuration));
    }

    private static ObjectNode run(PhaseTarget target, JsonNode asked) throws InterruptedException {
        List<Phase> phases = new ArrayList<>();
        asked.path("phases").forEach(each -> phases.add(Phase.of(each.asText()).orElseThrow()));
        FsPath root = FsPath.of(asked.path("root").asText());
        PhasesBench bench = new PhasesBench(
                target,
                new PhasesSettings(
                        phases,
                        asked.path("clients").asInt(),
                        asked.path("files").asInt(),
                        asked.path("bytes").asInt(),
                        asked.path("shared").asBoolean(),
                        root));
        ObjectNode answer = JSON.createObjectNode().put("event", "result");
        ArrayNode rows = answer.putArray("phases");
        for (PhaseResult each : bench.run()) {
            rows.addObject()
                    .put("phase", each.phase().label())
                    .put("operations", each.latency().count() + each.failed())
                    .put("failed", each.failed())
                    .put("seconds", each.seconds())
                    .put("opsPerSecond", Math.round(each.opsPerSecond()))
                    .put("p50Micros", each.latency().p50())
                    .put("p99Micros", each.latency().p99())
                    .put("p999Micros", each.latency().p999());
        }
        bench.failures().forEach(answer.putArray("failures")::add);
        if (asked.path("remove").asBoolean() && !target.call(new NamespaceOperation.Delete(root, true))) {
            throw new FsException(ErrorCode.INTERNAL, root + " could not be removed");
        }
        return answer;
    }
}
