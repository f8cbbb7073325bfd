package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench micro} over a cluster of real processes, by both interfaces. */
class MicroBenchTest {
    private static final String OPS = "stat,open,ls16,mkdirs,create,createsame,rename,spotify";

    @TempDir
    private Path folder;

    @Test
    void shouldMeasureAClusterByBothInterfacesAndLeaveNothingThere() throws Exception {
        try (ClusterUnderTest cluster = ClusterUnderTest.start(folder.resolve("cluster"))) {
            CommandRun run = CommandRun.lambdafs(
                    "bench",
                    "micro",
                    "--dir",
                    cluster.directory(),
                    "--ops",
                    OPS,
                    "--threads",
                    2,
                    "--window",
                    4,
                    "--rounds",
                    1,
                    "--seconds",
                    0.1,
                    "--warm-up",
                    0,
                    "--directories",
                    5,
                    "--json");
            assertThat(run.exit()).as(run.err()).isZero();
            JsonNode tree = new ObjectMapper().readTree(run.out());
            Set<String> measured = new HashSet<>();
            for (JsonNode row : tree.path("results")) {
                assertThat(row.path("ops").asLong()).as("%s", row).isPositive();
                assertThat(row.path("failed").asLong()).as("%s", row).isZero();
                assertThat(row.path("serverCpuMicrosPerOp").isNumber()).isTrue();
                assertThat(row.has("compilerShare")).isTrue();
                measured.add(row.path("op").asText() + " " + row.path("api").asText());
            }
            assertThat(measured).hasSize(2 * OPS.split(",").length);
            assertThat(tree.path("targets").path(0).path("servers").findValuesAsText("name"))
                    .contains("zookeeper", "store", "gateway", "instance");
            try (BlockingLambdaFs client = cluster.client()) {
                assertThat(client.list(FsPath.ROOT)).isExhausted();
            }
        }
    }
}
