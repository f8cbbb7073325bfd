package io.lambdafs.hammer.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.result.Cost;
import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.Listings;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.result.ServerfulFleet;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the ends of {@code quickstart} and {@code replay}. */
class OutcomeTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Console console() {
        return new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                0);
    }

    private static SeriesPoint point(double seconds, Integer... instances) {
        return new SeriesPoint(seconds, 100, 90, 10, 20, List.of(instances), 0.5, 0.001, 0.002, 3);
    }

    static ReplayResult result(int failed, SeriesPoint... series) {
        Latency latency = new Latency(4, 2.5, 2, 3, 4, 4, 4, List.of(new Latency.Point(50, 2)));
        return new ReplayResult(
                1_000,
                failed,
                9.5,
                100,
                105,
                4,
                0,
                0.93,
                0.01,
                Map.of("stat", latency, ReplayResult.ALL, latency),
                Map.of(),
                Listings.NONE,
                new Cost(0.001, 0.002, 0.01, 1),
                ServerfulFleet.DEFAULT,
                7,
                List.of(series),
                failed == 0 ? List.of() : List.of("stat /a: not found"),
                Map.of("Tree", "https://example.org/<tree>"),
                "");
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void shouldPrintOneObjectAndNothingElse() throws Exception {
        int exit = new Outcome(result(0, point(1, 1, 0)), folder.resolve("out")).show(console(), true);
        assertThat(exit).isZero();
        String printed = out.toString(StandardCharsets.UTF_8);
        assertThat(printed.lines()).hasSize(1);
        JsonNode json = JSON.readTree(printed);
        assertThat(names(json))
                .containsExactly(
                        "schema",
                        "operations",
                        "failed",
                        "seconds",
                        "opsPerSecond",
                        "offeredOpsPerSecond",
                        "peakInstances",
                        "finalInstances",
                        "cacheHitRate",
                        "latencyMicros",
                        "cost",
                        "seed",
                        "report");
        assertThat(json.get("report").asText())
                .isEqualTo(folder.resolve("out/report.html").toString());
        assertThat(names(json.get("latencyMicros").get("all"))).containsExactly("mean", "p50", "p99", "p999", "max");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void shouldEndWithOneAndSayWhatFailedOnStandardError() throws Exception {
        int exit = new Outcome(result(2, point(1, 1)), folder).show(console(), true);
        assertThat(exit).isEqualTo(1);
        assertThat(JSON.readTree(out.toString(StandardCharsets.UTF_8))
                        .get("failed")
                        .asInt())
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("2 of 1000 operations failed", "  stat /a: not found");
    }

    @Test
    void shouldWriteAPageThatAsksTheNetworkForNothing() throws Exception {
        new Outcome(result(1, point(1, 1, 2), point(2, 0, 0)), folder).show(console(), false);
        String page = Files.readString(folder.resolve("report.html"));
        assertThat(page).contains("<script>", "<style>", "default-src 'none'");
        assertThat(page).doesNotContainPattern("(?i)(src|href|action|data|poster)\\s*=\\s*[\"']?\\s*(https?:)?//");
        assertThat(page).doesNotContainPattern("(?i)(@import|url\\()\\s*[\"']?\\s*(https?:)?//");
        assertThat(page).contains("https://example.org/&lt;tree&gt;");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("report: " + folder.resolve("report.html"));
    }

    @Test
    void shouldTellHowTheDeploymentThatGrewMostScaled() {
        ReplayResult run = result(
                0, point(1, 1, 0), point(3, 2, 1), point(6, 3, 4), point(9, 1, 1), point(10, 1, 0), point(12.5, 0, 0));
        assertThat(Scaling.of(run).line())
                .isEqualTo(
                        "scaling: deployment 1 went from 1 to 4 instances; no instance was left 3 s after the last operation");
        assertThat(Scaling.of(result(0, point(1, 2), point(10, 2))).line())
                .isEqualTo(
                        "scaling: no deployment grew, deployment 0 stayed at 2; some instances were left when watching ended");
        assertThat(Scaling.of(result(0)).line()).startsWith("scaling: no instance was seen while the load ran");
    }
}
