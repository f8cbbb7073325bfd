package io.lambdafs.hammer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.HeadlessBrowser;
import io.lambdafs.model.FsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
@Tag("slow")
final class ReportTest {
    @TempDir
    private Path directory;

    private ReplayResult result() throws Exception {
        MemoryFileSystem files = new MemoryFileSystem();
        ImportedTree tree = Trees.importInto(files, Trees.write(directory.resolve("tree"), 20, 20));
        ReplaySettings settings = ReplaySettings.of(tree, Workload.spotify(Duration.ofSeconds(1), 500, 11))
                .withNotes(Map.of("Note </script>", "<b>&{{data}}"));
        return Replay.run(settings, files, ClusterProbe.none(), progress -> {});
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.properties().forEach(entry -> names.add(entry.getKey()));
        return names;
    }

    @Test
    void shouldKeepKeysThatScriptsRead() throws Exception {
        ReplayResult result = result();
        String text = Report.json(result, directory.resolve("report.html"));
        assertThat(text).doesNotContain("\n");
        JsonNode json = new ObjectMapper().readTree(text);
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
        assertThat(names(json.get("latencyMicros")))
                .containsExactly("create", "mkdirs", "delete", "mv", "read", "stat", "ls", "all");
        assertThat(names(json.get("latencyMicros").get("stat"))).containsExactly("mean", "p50", "p99", "p999", "max");
        assertThat(names(json.get("cost"))).containsExactly("payPerUseUsd", "serverfulUsd", "perMillionOpsUsd");
        assertThat(json.get("schema").asInt()).isEqualTo(1);
        assertThat(json.get("seed").asLong()).isEqualTo(11);
        assertThat(json.get("operations").asLong()).isEqualTo(result.operations());
        assertThat(new ObjectMapper()
                        .readTree(Report.json(result, null))
                        .get("report")
                        .isNull())
                .isTrue();
    }

    @Test
    void shouldWritePageThatNeedsNothingElse() throws Exception {
        Path page = Report.write(result(), directory.resolve("out/deep"));
        String html = Files.readString(page);
        assertThat(page).isAbsolute().hasFileName("report.html");
        assertThat(html.length()).isLessThan(1_000_000);
        assertThat(html)
                .doesNotContain("src=\"http", "href=", "@import", "sourceMappingURL", "{{style}}", "{{charts}}")
                .contains("default-src 'none'", "Chart.js v4", "Note &lt;/script&gt;", "id=\"data\">{\"fleet");
        // The only addresses are in comments: the library's licence notice.
        String code = html.replaceAll("(?s)/\\*!.*?\\*/", "");
        Matcher address = Pattern.compile("https?://[^\\s\"'`]+").matcher(code);
        assertThat(address.find()).as("address in the page").isFalse();
        assertThat(html.split("</script>", -1)).hasSize(4);
        try (var left = Files.list(page.getParent())) {
            assertThat(left)
                    .containsExactlyInAnyOrder(
                            page, page.resolveSibling("report.json"), page.resolveSibling("report.csv"));
        }
    }

    @Test
    void shouldWriteTheSecondsBesideThePage() throws Exception {
        ReplayResult result = result();
        Path page = Report.write(result, directory.resolve("out"));
        JsonNode json = new ObjectMapper().readTree(Files.readString(page.resolveSibling("report.json")));
        assertThat(json.path("operations").asLong()).isEqualTo(result.operations());
        assertThat(json.path("series")).hasSameSizeAs(result.series()).isNotEmpty();
        List<String> csv = Files.readAllLines(page.resolveSibling("report.csv"));
        assertThat(csv).hasSize(1 + result.series().size());
        assertThat(csv.get(0)).isEqualTo("t,offered,done,p50,p99,instances,hits,cost,simplified,waiting");
    }

    @Test
    void shouldShowTableForTerminal() throws Exception {
        ReplayResult result = result();
        assertThat(Report.table(result))
                .contains("p99.9", "mkdirs", "0 failed", "ops/s offered", "serverful: 1 instances at peak");
    }

    @Test
    void shouldSayWhereReportCannotBeWritten() throws Exception {
        ReplayResult result = result();
        Path file = Files.writeString(directory.resolve("in-the-way"), "x");
        assertThatThrownBy(() -> Report.write(result, file))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("in-the-way")
                .hasMessageContaining("another directory");
    }

    @Test
    @Tag("once")
    void shouldBeDrawnByABrowser() throws Exception {
        Optional<Path> program = HeadlessBrowser.installed();
        Assumptions.assumeTrue(program.isPresent(), "no chromium is installed: apt-get install chromium");
        Path page = Report.write(result(), directory.resolve("drawn"));
        HeadlessBrowser.check(program.get(), page, 6, directory.resolve("browser"));
    }
}
