package io.lambdafs.hammer.grid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.cluster.terminal.HeadlessBrowser;
import io.lambdafs.hammer.result.Latency;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GridReportTest {
    @TempDir
    private Path folder;

    private static LambdaFs none(LocalCluster cluster) {
        throw new IllegalStateException("no client is needed of " + cluster.directory());
    }

    private static GridRow row(String label, int clients, long count, long failed) {
        Setup setup =
                new Setup(label, "a <setup>", JsonNodeFactory.instance.objectNode(), GridReportTest::none, 2.5, true);
        Latency latency = new Latency(count - failed, 150.5, 150, 200, 900, 1_000, 2_000, List.of());
        return new GridRow(setup, GridOp.STAT, clients, latency, failed, 2, 4, 0.001);
    }

    @Test
    void shouldNotCountWhatFailed() {
        GridRow row = row("a", 8, 1_000, 200);
        assertThat(row.opsPerSecond()).isEqualTo(400);
        assertThat(row.millionsPerUsd()).isEqualTo(0.8);
    }

    @Test
    void shouldWriteThePageAndItsNumbers() throws Exception {
        GridReport report = new GridReport("scaling", "throughput", "more")
                .of(List.of(row("a</script>", 8, 1_000, 0), row("b", 64, 500, 1)), 2);
        Path page = report.write(folder.resolve("out"));
        String html = Files.readString(page);
        assertThat(html)
                .doesNotContain("a</script>", "{{", "src=\"http", "href=", "Unfinished:")
                .contains("a &lt;setup&gt;", "more");
        JsonNode json = new ObjectMapper().readTree(Files.readString(folder.resolve("out/scaling.json")));
        assertThat(json.path("rows")).hasSize(2);
        assertThat(json.path("rows").get(0).path("opsPerSecond").asDouble()).isEqualTo(500);
        assertThat(json.path("rows").get(1).path("clients").asInt()).isEqualTo(64);
        List<String> csv = Files.readAllLines(folder.resolve("out/scaling.csv"));
        assertThat(csv).hasSize(3);
        assertThat(csv.get(0)).startsWith("setup,vcpu,op,clients,operations,failed");
        assertThat(csv.get(2)).startsWith("b,2.5,stat,64,500,1");
        assertThat(report.text()).contains("a</script>").contains("500").contains("distance emulated: none");
        assertThat(json.path("distance").path("tcpMicros").asInt(-1)).isZero();
        GridReport far = report.at(new DistanceSettings(1_000, 8_000, 1_000, 1_000));
        assertThat(far.text()).contains("round trips of 1 ms by TCP");
        assertThat(far.json().path("distance").path("httpMicros").asInt()).isEqualTo(8_000);
        assertThat(Files.readString(far.write(folder.resolve("far")))).contains("round trips of 1 ms by TCP");
    }

    @Test
    void shouldSayThatCellsAreMissingUntilAllAreMeasured() throws Exception {
        GridReport empty = new GridReport("ways", "ways", "");
        Path page = empty.of(List.of(row("a", 8, 900, 0)), 2).write(folder);
        assertThat(Files.readString(page)).contains("Unfinished:</strong> 1 of 2 cells are measured");
        assertThat(Files.readString(folder.resolve("ways.json"))).contains("\"unfinished\" : \"1 of 2 cells");
        empty.of(List.of(row("a", 8, 900, 0), row("a", 16, 900, 0)), 2).write(folder);
        assertThat(Files.readString(page)).doesNotContain("Unfinished:");
        assertThat(Files.readString(folder.resolve("ways.json"))).doesNotContain("unfinished");
    }

    @Test
    @Tag("slow")
    void shouldBeDrawnByABrowser() throws Exception {
        Optional<Path> program = HeadlessBrowser.installed();
        Assumptions.assumeTrue(program.isPresent(), "no chromium is installed: apt-get install chromium");
        GridReport report =
                new GridReport("ways", "ways", "").of(List.of(row("a", 8, 900, 0), row("a", 64, 500, 0)), 2);
        HeadlessBrowser.check(program.get(), report.write(folder.resolve("drawn")), 1, folder.resolve("browser"));
    }
}
