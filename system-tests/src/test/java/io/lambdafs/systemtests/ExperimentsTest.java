package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Experiments with clusters of their own, as small as they can be; {@code ./lambdafs test --experiments} runs them. */
@Tag("slow")
@Timeout(value = 6, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "lambdafs.experiments", matches = "true")
class ExperimentsTest {
    private static final List<String> PERSONAS = List.of(
            "lambdafs",
            "lambdafs-limited",
            "lambdafs-off",
            "lambdafs-reduced-cache",
            "held",
            "hopsfs",
            "hopsfs-random",
            "hopsfs-round-robin",
            "hopsfs-sticky",
            "hopsfs-cache",
            "hopsfs-cache-at-cost",
            "infinicache");

    @TempDir
    private Path folder;

    @Test
    void shouldRunTheLoadOnEveryPersona() throws Exception {
        CommandRun run = CommandRun.lambdafs(
                "bench",
                "fleet",
                "--personas",
                String.join(",", PERSONAS),
                "--seconds",
                6,
                "--base-ops",
                50,
                "--max-files",
                200,
                "--report",
                folder,
                "--json");

        assertThat(run.exit()).as(run.err()).isZero();
        JsonNode personas = new ObjectMapper().readTree(run.out()).path("personas");
        assertThat(personas.findValuesAsText("name")).containsExactlyElementsOf(PERSONAS);
        for (JsonNode each : personas) {
            assertThat(each.path("operations").asLong())
                    .as("%s", each.path("name"))
                    .isPositive();
            assertThat(each.path("notDone").asLong())
                    .as("%s", each.path("name"))
                    .isLessThan(each.path("operations").asLong());
            assertThat(each.path("usd").asDouble()).as("%s", each.path("name")).isPositive();
        }
        assertThat(Files.readString(folder.resolve("fleet.html"))).doesNotContain("Unfinished:");
    }

    @Test
    void shouldShowAQuickstartAndAFleetOfTheSameCost() throws Exception {
        CommandRun run =
                CommandRun.lambdafs("quickstart", "--seconds", 8, "--max-files", 300, "--report", folder, "--json");

        assertThat(run.exit()).as(run.err()).isZero();
        JsonNode shown = new ObjectMapper().readTree(run.out());
        assertThat(shown.at("/capacity/oneInstanceOpsPerSecond").asLong()).isPositive();
        assertThat(shown.at("/fleet/personas")).hasSize(2);
        assertThat(folder.resolve("report.html")).exists();
        assertThat(folder.resolve("fleet.html")).exists();
    }

    @Test
    void shouldLeaveTheReportOfAQuickstartThatIsEnded() throws Exception {
        Process process = new ProcessBuilder(CommandRun.lambdafsCommand(
                        "quickstart", "--seconds", 60, "--base-ops", 100, "--max-files", 200, "--report", folder))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(folder.resolve("err").toFile())
                .start();
        try {
            Path err = folder.resolve("err");
            Awaitility.await().until(() -> Files.readString(err).contains("ops/s  p99"));
            process.destroy();
            process.waitFor();
            assertThat(Files.readString(err)).contains("report of what was measured until then");
            assertThat(Files.readString(folder.resolve("report.html")))
                    .contains("Unfinished:</strong> interrupted after");
        } finally {
            process.destroyForcibly();
        }
    }
}
