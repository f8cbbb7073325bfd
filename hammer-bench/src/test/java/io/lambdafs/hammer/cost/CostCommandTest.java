package io.lambdafs.hammer.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CostCommandTest {
    @TempDir
    private Path folder;

    private static JsonNode row(CommandRun run, String cloud, String shape) throws Exception {
        assertThat(run.exit()).as(run.err()).isZero();
        for (JsonNode row : new ObjectMapper().readTree(run.out()).path("rows")) {
            if (row.path("cloud").asText().equals(cloud)
                    && row.path("shape").asText().equals(shape)) {
                return row;
            }
        }
        throw new AssertionError("no row of " + cloud + " and " + shape);
    }

    @Test
    void shouldAddUpWhatIsBilledWhileNobodyUsesIt() throws Exception {
        CommandRun run = CommandRun.ofCommand(CostCommand::new, "--json", "--ops", "25000");
        JsonNode hopsfs = row(run, "aws-2023", "hopsfs");
        assertThat(hopsfs.path("idleUsdPerHour").asDouble()).isCloseTo((512 + 80) * 0.063, within(1e-9));
        assertThat(hopsfs.path("usdPerMillionAt25000").asDouble()).isCloseTo(592 * 0.063 / 90, within(1e-9));
        assertThat(row(run, "aws-2026", "lambdafs-zookeeper")
                        .path("idleUsdPerHour")
                        .asDouble())
                .isCloseTo(2 * 0.063 + 6 * 0.048 + 50 * 0.08 / 730, within(1e-9));
    }

    @Test
    void shouldMakeNoSumWithAPriceThatIsNotKnown() throws Exception {
        JsonNode row = row(CommandRun.ofCommand(CostCommand::new, "--json"), "aws-2023", "lambdafs-postgres");
        assertThat(row.path("idleUsdPerHour").isNull()).isTrue();
        assertThat(row.path("missing").asText()).isEqualTo("database-hour");
        assertThat(CommandRun.ofCommand(CostCommand::new).out()).contains("no price here: database-hour");
    }

    @Test
    void shouldTakeCloudsOfOnesOwnAndAddWhatFunctionsCost() throws Exception {
        Path prices = Files.writeString(
                folder.resolve("mine.yaml"),
                "clouds:\n  mine: {name: Mine, date: today, source: bills, store-vcpu-hour: 0.5, disk-gb-month: 7.3}\n");
        Path result = Files.writeString(folder.resolve("report.json"), "{\"cost\":{\"perMillionOpsUsd\":0.25}}");
        CommandRun run = CommandRun.ofCommand(
                CostCommand::new, "--json", "--ops", "1000", "--prices", prices, "--result", result);
        JsonNode row = row(run, "mine", "lambdafs-ndb");
        assertThat(row.path("idleUsdPerHour").asDouble()).isCloseTo(6 * 0.5 + 150 * 0.01, within(1e-9));
        assertThat(row.path("usdPerMillionAt1000").asDouble()).isCloseTo(4.5 / 3.6 + 0.25, within(1e-9));
        assertThat(row(run, "aws-2026", "hopsfs").path("usdPerMillionAt1000").asDouble())
                .isCloseTo(592 * 0.063 / 3.6, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "clouds:⏎  a: {name: A, date: d}                        | 2 | \"a\" has no \"source\"",
                "clouds:⏎  a:⏎    nam: A                                | 3 | did you mean \"name\"?",
                "shapes:⏎  a:⏎    what: x⏎    store-vcpus: many         | 4 | must be a number",
                "shapes:⏎  a:⏎    what: x⏎    store-vcpus: -1           | 4 | \"store-vcpus\" is 0 or more, not -1",
                "shapes:⏎  a: 5                                         | 2 | \"a\" is a mapping"
            })
    void shouldNameFileAndLine(String text, int line, String why) throws Exception {
        Path file = Files.writeString(folder.resolve("mine.yaml"), text.strip().replace("⏎", "\n"));
        CommandRun run = CommandRun.ofCommand(CostCommand::new, "--prices", file);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(file + ":" + line + ": ", why.strip());
    }
}
