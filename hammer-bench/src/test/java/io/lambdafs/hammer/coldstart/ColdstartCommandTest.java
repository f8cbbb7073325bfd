package io.lambdafs.hammer.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.process.Jdk;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.cluster.terminal.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColdstartCommandTest {
    private static final Setup OLD = new Setup(new Jdk(Path.of("/jdk17"), Runtime.Version.parse("17.0.15+6")), null);
    private static final Setup NEW =
            new Setup(new Jdk(Path.of("/jdk25"), Runtime.Version.parse("25.0.3+9-LTS")), Path.of("/conf/ndb.json"));

    private static final List<Kind> KINDS = List.of(Kind.COLD, Kind.PREWARMED);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"--rounds, 0, --rounds is 1..1000", "--rounds, 1001, --rounds is 1..1000"})
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(ColdstartCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldRefuseADirectoryThatIsNoJdk() {
        CommandRun run = CommandRun.ofCommand(ColdstartCommand::new, "--jdk", folder);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", folder.toString(), "is no JDK");
    }

    @Test
    void shouldRefuseSettingsThatThereAreNot() throws IOException {
        Path conf = folder.resolve("conf.json");
        Files.writeString(conf, "{\"stroe\": {}}");
        CommandRun run = CommandRun.ofCommand(ColdstartCommand::new, "--conf", conf);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", "stroe");
    }

    /** Starts that take as many milliseconds as there were before in its cluster. */
    private static final class CountingBed implements Bed {
        private final Setup setup;
        private final Kind kind;
        private final List<String> told;
        private int starts;

        CountingBed(Setup setup, Kind kind, List<String> told) {
            this.setup = setup;
            this.kind = kind;
            this.told = told;
        }

        @Override
        public Setup setup() {
            return setup;
        }

        @Override
        public void warmUp() {
            told.add(kind.label() + " warm " + setup.jdk().version().feature());
        }

        @Override
        public Start start(boolean counts) {
            told.add(kind.label()
                    + (counts ? " counted " : " start ")
                    + setup.jdk().version().feature());
            long micros = 1_000L * starts++;
            return kind == Kind.COLD ? new Start(1, 2, 3, 4, 1 + micros) : new Start(3, 1, 2, 4, 3 + micros);
        }

        @Override
        public void close() {
            told.add(kind.label() + " close " + setup.jdk().version().feature());
        }
    }

    @Test
    void shouldStartInTurnsAndNotCountTheFirstTen() throws Exception {
        List<String> told = new ArrayList<>();
        ColdstartBench bench = new ColdstartBench(
                new ColdstartBench.Settings(List.of(OLD, NEW), KINDS, 3),
                Console.ofProcess(),
                (setup, kind, console) -> new CountingBed(setup, kind, told));
        ColdstartBench.Result result = bench.run();
        for (Kind kind : KINDS) {
            // Ten starts have warmed each cluster up: those that count took 10, 11 and 12 ms.
            assertThat(result.spread(kind, OLD, Step.TOTAL).median()).isEqualTo(11);
            assertThat(result.spread(kind, NEW, Step.TOTAL).min()).isEqualTo(10);
            assertThat(result.spread(kind, NEW, Step.TOTAL).max()).isEqualTo(12);
        }
        assertThat(told)
                .hasSize(2 * (2 + 26 + 2))
                .startsWith("cold warm 17", "cold warm 25", "cold start 17", "cold start 25");
        // The next round begins with the other.
        assertThat(told.subList(4, 6)).containsExactly("cold start 25", "cold start 17");
        assertThat(told.subList(20, 22)).containsExactly("cold start 25", "cold start 17");
        assertThat(told.subList(22, 24)).containsExactly("cold counted 17", "cold counted 25");
        assertThat(told.subList(28, 30)).containsExactly("cold close 17", "cold close 25");
    }

    private static ColdstartBench.Result result() {
        List<Start> cold = List.of(new Start(0, 90_000, 210_000, 250_000, 300_000));
        List<Start> faster = List.of(new Start(0, 60_000, 110_000, 130_000, 150_000)
                .with(new Warmth(List.of(
                        new Warmth.Span(900, 5_000),
                        new Warmth.Span(300, 2_000),
                        new Warmth.Span(60, 400),
                        new Warmth.Span(30, 200)))));
        List<Start> prewarmed = List.of(new Start(9_000, 1_000, 2_000, 15_000, 24_000));
        return new ColdstartBench.Result(Map.of(
                Kind.COLD, Map.of(OLD, cold, NEW, faster), Kind.PREWARMED, Map.of(OLD, prewarmed, NEW, prewarmed)));
    }

    @Test
    void shouldTellScriptsWhatWasMeasured() {
        JsonNode json = ColdstartCommand.json(new ColdstartBench.Settings(List.of(OLD, NEW), KINDS, 1), result());
        assertThat(names(json)).containsExactly("schema", "rounds", "processors", "cold", "prewarmed");
        assertThat(names(json.path("cold").path(0)))
                .containsExactly("jdk", "home", "process", "wiring", "initialisation", "firstReply", "total");
        assertThat(names(json.path("prewarmed").path(1)))
                .containsExactly("jdk", "home", "conf", "initialisation", "firstReply", "total");
        assertThat(json.path("cold").path(1).path("jdk").asText()).isEqualTo("25.0.3+9-LTS");
        JsonNode total = json.path("cold").path(1).path("total");
        assertThat(names(total)).containsExactly("medianMillis", "p90Millis", "leastMillis", "greatestMillis");
        assertThat(total.path("medianMillis").asDouble()).isEqualTo(150);
        assertThat(json.path("cold").path(1).path("first1000"))
                .hasToString("{\"cpuMicrosPerOperation\":300.0,\"p99Micros\":2000.0}");
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void shouldPutTheClustersSideBySide() {
        String text = ColdstartCommand.text(new ColdstartBench.Settings(List.of(OLD, NEW), KINDS, 1), result());
        assertThat(text)
                .containsPattern(
                        "cold, total\\n *17\\.0\\.15\\+6 +300\\.0 .*\\n *25\\.0\\.3\\+9-LTS ndb\\.json +150\\.0")
                .containsPattern("prewarmed, initialisation\\n *17\\.0\\.15\\+6 +6\\.0")
                .containsPattern("first100 CPU µs × steady +p99 µs +first1000 CPU µs × steady +p99 µs")
                .containsPattern("cold +25\\.0\\.3\\+9-LTS ndb\\.json +900\\.0 +30\\.00 +5000 +300\\.0 +10\\.00 +2000")
                .doesNotContain("prewarmed, process");
    }
}
