package io.lambdafs.hammer.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.Jdk;
import io.lambdafs.cluster.terminal.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class ColdstartCommandTest {
    private static final Setup OLD = new Setup(new Jdk(Path.of("/jdk17"), Runtime.Version.parse("17.0.15+6")), null);
    private static final Setup NEW =
            new Setup(new Jdk(Path.of("/jdk25"), Runtime.Version.parse("25.0.3+9-LTS")), Path.of("/conf/ndb.json"));

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

    private static ColdstartBench.Result result() {
        List<Start> cold = List.of(new Start(0, 90_000, 210_000, 250_000, 300_000));
        List<Start> faster = List.of(new Start(0, 60_000, 110_000, 130_000, 150_000));
        List<Start> prewarmed = List.of(new Start(9_000, 1_000, 2_000, 15_000, 24_000));
        return new ColdstartBench.Result(Map.of(
                Kind.COLD, Map.of(OLD, cold, NEW, faster), Kind.PREWARMED, Map.of(OLD, prewarmed, NEW, prewarmed)));
    }

    @Test
    void shouldTellScriptsWhatWasMeasured() {
        JsonNode json = ColdstartCommand.json(new ColdstartBench.Settings(List.of(OLD, NEW), 1), result());
        assertThat(names(json)).containsExactly("schema", "rounds", "processors", "cold", "prewarmed");
        assertThat(names(json.path("cold").path(0)))
                .containsExactly("jdk", "home", "process", "wiring", "initialisation", "firstReply", "total");
        assertThat(names(json.path("prewarmed").path(1)))
                .containsExactly("jdk", "home", "conf", "initialisation", "firstReply", "total");
        assertThat(json.path("cold").path(1).path("jdk").asText()).isEqualTo("25.0.3+9-LTS");
        JsonNode total = json.path("cold").path(1).path("total");
        assertThat(names(total)).containsExactly("medianMillis", "p90Millis", "leastMillis", "greatestMillis");
        assertThat(total.path("medianMillis").asDouble()).isEqualTo(150);
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void shouldPutTheClustersSideBySide() {
        String text = ColdstartCommand.text(new ColdstartBench.Settings(List.of(OLD, NEW), 1), result());
        assertThat(text)
                .containsPattern(
                        "cold, total\\n *17\\.0\\.15\\+6 +300\\.0 .*\\n *25\\.0\\.3\\+9-LTS ndb\\.json +150\\.0")
                .containsPattern("prewarmed, initialisation\\n *17\\.0\\.15\\+6 +6\\.0")
                .doesNotContain("prewarmed, process");
    }
}
