package io.lambdafs.hammer.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.HeadlessBrowser;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.replay.Replay;
import io.lambdafs.hammer.replay.ReplaySettings;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SampleResult;
import io.lambdafs.hammer.tree.ImportedTree;
import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.hammer.tree.Trees;
import io.lambdafs.hammer.workload.Texts;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
    private static final String SUMMARY = """
            {"schema":1,"operations":9000,"failed":0,"seconds":30.123,"opsPerSecond":298.8,"offeredOpsPerSecond":301.2,\
            "peakInstances":7,"finalInstances":2,"cacheHitRate":0.9123,"latencyMicros":{\
            "read":{"mean":700.5,"p50":1400,"p99":2800,"p999":3500,"max":4200},\
            "mv":{"mean":0.5,"p50":0,"p99":0,"p999":0,"max":0},\
            "all":{"mean":1100.5,"p50":2200,"p99":4400,"p999":5500,"max":6600}},\
            "listings":{"pages":2000,"unreadShare":0.83,"p99Micros":4800,"joiningP99Micros":9600,"joiningP99OfCalm":2.0},\
            "cost":{"payPerUseUsd":0.0123456,"serverfulUsd":0.0345678,"perMillionOpsUsd":1.371733},"seed":11,"report":%s""";

    private static final String SERIES = """
            "series":[{"t":1.0,"offered":310.1,"done":305.0,"p50":1500,"p99":2500,"instances":[1,2],"hits":0.8123,\
            "cost":0.001,"simplified":0.002,"waiting":5},\
            {"t":2.01,"offered":290.0,"done":295.1,"p50":1600,"p99":2600,"instances":[3,4],"hits":0.9124,\
            "cost":0.003,"simplified":0.004,"waiting":6}]""";

    @TempDir
    private Path directory;

    @Test
    void shouldKeepWhatScriptsRead() {
        assertThat(Report.json(SampleResult.whole(), null)).isEqualTo(SUMMARY.formatted("null") + "}");
        assertThat(Report.json(SampleResult.whole(), Path.of("out/report.html")))
                .isEqualTo(SUMMARY.formatted("\"out/report.html\"") + "}");
    }

    @Test
    void shouldWritePageThatNeedsNothingElse() throws Exception {
        Path page = Report.write(SampleResult.whole(), directory.resolve("out/deep"));
        String html = Files.readString(page);
        assertThat(page).isAbsolute().hasFileName("report.html");
        assertThat(html.length()).isLessThan(1_000_000);
        assertThat(html)
                .doesNotContain("src=\"http", "href=", "@import", "sourceMappingURL", "{{style}}", "{{charts}}")
                .contains("default-src 'none'", "Chart.js v4", "id=\"data\">{\"fleet");
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
    void shouldShowEachFigureOnThePage() throws Exception {
        String html = Files.readString(Report.write(SampleResult.whole(), directory));
        assertThat(cards(html))
                .containsExactly(
                        "Operations: 9,000",
                        "Failed: 0",
                        "Done: 299 ops/s",
                        "Offered: 301 ops/s",
                        "Median latency: 2.20 ms",
                        "99th percentile: 4.40 ms",
                        "Instances, peak → end: 7 → 2",
                        "Cache hits: 91.2 %",
                        "Pay-per-use: $0.01235",
                        "Serverful fleet: $0.03457",
                        "Per million operations: $1.372",
                        "Requests by HTTP: 1.2 %");
        assertThat(html)
                .contains("<tr><th scope=\"row\">read</th><td>8,000</td><td>701 µs</td><td>1.40 ms</td>"
                        + "<td>2.10 ms</td><td>2.80 ms</td><td>3.50 ms</td><td>4.20 ms</td></tr>")
                .contains("<tr><th scope=\"row\">mv</th><td>0</td><td>–</td>")
                .contains("<tr><th scope=\"row\">Workload</th><td>a &lt;mix&gt;</td></tr>")
                .contains("<th scope=\"row\">Note &lt;/script&gt;</th><td>&lt;b&gt;&amp;{&#123;data}}</td>")
                .contains("None: every answer was the one")
                .doesNotContain("Unfinished:");
    }

    private static List<String> cards(String html) {
        return Pattern.compile("<div class=\"value\">([^<]*)</div><div class=\"label\">([^<]*)</div>")
                .matcher(html)
                .results()
                .map(card -> card.group(2) + ": " + card.group(1))
                .toList();
    }

    @Test
    void shouldDrawFromNumbersThatAreThose() throws Exception {
        String html = Files.readString(Report.write(SampleResult.whole(), directory));
        Matcher data = Pattern.compile("id=\"data\">(.*?)</script>").matcher(html);
        assertThat(data.find()).isTrue();
        // Seven instances of two processors for 0.36 USD an hour; a point of a curve is 1 / (what lies above it) and
        // its latency.
        assertThat(data.group(1))
                .isEqualTo("{\"fleetUsdPerSecond\":" + 7 * 2 * 0.36 / 3_600 + "," + SERIES
                        + ",\"curves\":{\"read\":[[1.0,700],[10.0,2100]],\"all\":[[1.0,1100],[10.0,3300]]}}");
    }

    @Test
    void shouldWriteTheSecondsBesideThePage() throws Exception {
        Path page = Report.write(SampleResult.whole(), directory.resolve("out"));
        JsonNode json = new ObjectMapper().readTree(Files.readString(page.resolveSibling("report.json")));
        assertThat(json.toString()).isEqualTo(SUMMARY.formatted("\"" + page + "\"") + "," + SERIES + "}");
        assertThat(Files.readAllLines(page.resolveSibling("report.csv")))
                .containsExactly(
                        "t,offered,done,p50,p99,instances,hits,cost,simplified,waiting",
                        "1.0,310.1,305.0,1500,2500,1 2,0.8123,0.001,0.002,5",
                        "2.01,290.0,295.1,1600,2600,3 4,0.9124,0.003,0.004,6");
    }

    @Test
    void shouldSayEverywhereThatItIsUnfinished() throws Exception {
        ReplayResult result = SampleResult.whole().unfinished("interrupted after 3.0 of 30 s");
        Path page = Report.write(result, directory);
        assertThat(Files.readString(page)).contains("Unfinished:</strong> interrupted after 3.0 of 30 s.</p>");
        assertThat(Files.readString(page.resolveSibling("report.json")))
                .contains("\"unfinished\" : \"interrupted after 3.0 of 30 s\"");
        assertThat(Report.table(result)).contains("\nUNFINISHED: interrupted after 3.0 of 30 s\n");
    }

    @Test
    void shouldShowTableForTerminal() {
        assertThat(Report.table(SampleResult.whole())).isEqualTo("""
                         operations       mean        p50        p99      p99.9        max
                read          8,000     701 µs    1.40 ms    2.80 ms    3.50 ms    4.20 ms
                mv                0       1 µs       0 µs       0 µs       0 µs       0 µs
                all           9,000    1.10 ms    2.20 ms    4.40 ms    5.50 ms    6.60 ms
                (latency from the intended start: waiting counts)

                9,000 operations in 30.1 s: 299 ops/s done, 301 ops/s offered; 0 failed
                instances: 7 at peak, 2 at the end; cache hit rate 91.2 %; 1.2 % of requests by HTTP
                listings: 83.0 % of 2,000 pages without reading the directory; p99 of ls 9.60 ms while instances joined, 4.80 ms otherwise
                cost: $0.012346 pay-per-use ($1.371733 per million operations), $0.023457 while provisioned, $0.034568 serverful
                      serverful: 7 instances at peak × 2 vCPU × 0.360 USD per vCPU-hour, for the whole run
                """);
    }

    @Test
    void shouldNameTheFirstThatFailed() throws Exception {
        ReplayResult result = SampleResult.with(1_002, List.of("1.000 s: stat /<a>: lost", "2.000 s: mv /b: late"));
        assertThat(Report.table(result)).contains("; 1,002 failed\n").endsWith("""

                        the first failed operations of 1,002:
                          1.000 s: stat /<a>: lost
                          2.000 s: mv /b: late
                        """);
        assertThat(Files.readString(Report.write(result, directory)))
                .contains("<p>1,002 failed. The first of them:</p><ol>")
                .contains("<li><code>1.000 s: stat /&lt;a&gt;: lost</code></li>")
                .doesNotContain("None: every answer");
    }

    @Test
    void shouldShowLatencyInTheUnitThatSuitsIt() {
        assertThat(List.of(
                        Texts.micros(999L),
                        Texts.micros(1_000L),
                        Texts.micros(9_999L),
                        Texts.micros(10_000L),
                        Texts.micros(999_949L),
                        Texts.micros(1_000_000L)))
                .containsExactly("999 µs", "1.00 ms", "10.00 ms", "10.0 ms", "999.9 ms", "1.00 s");
        assertThat(Texts.plain(3)).isEqualTo("3");
        assertThat(Texts.plain(3.25)).isEqualTo("3.25");
    }

    @Test
    void shouldSayWhereReportCannotBeWritten() throws Exception {
        Path file = Files.writeString(directory.resolve("in-the-way"), "x");
        assertThatThrownBy(() -> Report.write(SampleResult.whole(), file))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("in-the-way")
                .hasMessageContaining("another directory");
    }

    @Test
    @Tag("slow")
    void shouldBeDrawnByABrowser() throws Exception {
        Optional<Path> program = HeadlessBrowser.installed();
        Assumptions.assumeTrue(program.isPresent(), "no chromium is installed: apt-get install chromium");
        MemoryFileSystem files = new MemoryFileSystem();
        ImportedTree tree = Trees.importInto(files, Trees.write(directory.resolve("tree"), 20, 20));
        ReplaySettings settings = ReplaySettings.of(tree, Workload.spotify(Duration.ofSeconds(1), 500, 11));
        ReplayResult result = Replay.run(settings, files, ClusterProbe.none(), progress -> {});
        HeadlessBrowser.check(
                program.get(), Report.write(result, directory.resolve("drawn")), 6, directory.resolve("browser"));
    }
}
