package io.lambdafs.hammer.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.result.SampleResult;
import io.lambdafs.hammer.trace.CsvTrace;
import io.lambdafs.hammer.trace.TraceReplay;
import io.lambdafs.hammer.trace.TraceScan;
import io.lambdafs.hammer.tree.ImportResult;
import io.lambdafs.hammer.tree.ImportedTree;
import io.lambdafs.hammer.tree.SkipReason;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the ends of imports and of trace replays. */
final class EndsTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Console console = new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(out, true, StandardCharsets.UTF_8), 0);

    private TraceScan scan() throws Exception {
        Path trace = Files.writeString(
                folder.resolve("trace.csv"), "time,client,op,path\n0,c,stat,/a\n2.5,c,stat,/a\n2.5,c,ls,/\n");
        return TraceScan.of(new CsvTrace(trace), true);
    }

    @Test
    void shouldTellOfATraceBesideTheLoad() throws Exception {
        TraceScan scan = scan();
        TraceReplay.Outcome replayed =
                new TraceReplay.Outcome(SampleResult.whole(), Map.of("stat NOT_FOUND", 3L, "delete nothing to do", 2L));
        assertThat(replayed.refused()).isEqualTo(5);
        assertThat(new TraceOutcome(scan, replayed).show(console, folder.resolve("out"), true))
                .isZero();
        JsonNode json = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
        assertThat(json.path("operations").asLong()).isEqualTo(9_000);
        assertThat(json.path("report").asText())
                .isEqualTo(folder.resolve("out/report.html").toString());
        assertThat(json.path("trace")).hasToString("{\"records\":3,\"lines\":3,\"seconds\":2.5,\"leftOut\":{}}");
        assertThat(json.path("refused").asLong()).isEqualTo(5);
        assertThat(json.path("refusals")).hasToString("{\"delete nothing to do\":2,\"stat NOT_FOUND\":3}");
        assertThat(folder.resolve("out/report.html")).exists();
    }

    @Test
    void shouldSayWhatTheNamespaceRefused() throws Exception {
        TraceReplay.Outcome failed =
                new TraceReplay.Outcome(SampleResult.with(1, List.of("stat /a: late")), Map.of("ls NOT_FOUND", 1_200L));
        TraceScan scan = scan();
        assertThat(new TraceOutcome(scan, failed).show(console, folder, false)).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(scan.describe(), "refused by the namespace: 1,200 ls NOT_FOUND", "report: ");
        assertThat(new TraceOutcome(scan, failed).show(console, folder, true)).isEqualTo(1);
        assertThat(TraceReplay.describe(Map.of())).isEqualTo("none");
    }

    @Test
    void shouldSayWhatAnImportMadeAndLeftOut() {
        ImportedTree none = SampleResult.nothing();
        ImportResult all = new ImportResult(none, 1_200, 3_400, 5, 6_700_000, Map.of(), false, 8.25);
        assertThat(LoadRun.describe("/tree", all))
                .isEqualTo("imported /tree in 8.3 s: 1,200 directories, 3,400 files (5 longer ones without content),"
                        + " 6.7 MB of content");
        Map<SkipReason, Long> skipped = Map.of(SkipReason.SYMBOLIC_LINK, 1_500L, SkipReason.UNREADABLE, 0L);
        ImportResult some = new ImportResult(none, 1, 2, 0, 0, skipped, true, 1);
        assertThat(LoadRun.describe("/tree", some))
                .endsWith("; left out: 1,500 symbolic links; the limit on files ended the walk");
    }
}
