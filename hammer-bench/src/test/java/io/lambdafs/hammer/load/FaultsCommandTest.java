package io.lambdafs.hammer.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.hammer.result.SeriesPoint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultsCommandTest {
    private static SeriesPoint point(double offered, double done) {
        return new SeriesPoint(1, offered, done, 10, 20, List.of(1), 0.5, 0.001, 0.002, 3);
    }

    @ParameterizedTest
    @CsvSource({
        "--every,    0,  --every is 1..--seconds",
        "--every,    301, --every is 1..--seconds",
        "--seconds,  0,  --seconds is 1..86400",
        "--base-ops, 0,  --base-ops is 1..1000000"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(FaultsCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldFindTheSecondInWhichLeastOfTheOfferWasDone() {
        assertThat(FaultsResult.deepestDip(OutcomeTest.result(0, point(100, 100), point(100, 40), point(200, 300))))
                .isEqualTo(0.4);
        assertThat(FaultsResult.deepestDip(OutcomeTest.result(0, point(100, 100), point(0, 0))))
                .isEqualTo(1);
    }

    @Test
    void shouldTellScriptsBothRunsAndHowTheyCompare() {
        FaultsResult result =
                new FaultsResult(30, 9, OutcomeTest.result(0, point(100, 100)), OutcomeTest.result(2, point(100, 50)));
        ObjectNode json = result.json();
        List<String> names = new ArrayList<>();
        json.fieldNames().forEachRemaining(names::add);
        assertThat(names)
                .containsExactly(
                        "schema", "everySeconds", "kills", "failed", "ratio", "deepestDip", "faultFree", "faults");
        assertThat(json.path("failed").asInt()).isEqualTo(2);
        assertThat(json.path("ratio").asDouble()).isEqualTo(1);
        assertThat(json.path("deepestDip").asDouble()).isEqualTo(0.5);
        assertThat(json.path("faults").path("failed").asInt()).isEqualTo(2);
        assertThat(result.text()).contains("one instance killed every 30 s, 9 in all", "50 % of offered");
    }
}
