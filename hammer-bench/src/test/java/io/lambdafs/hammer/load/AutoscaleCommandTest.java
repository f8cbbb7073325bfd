package io.lambdafs.hammer.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.hammer.result.SeriesPoint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AutoscaleCommandTest {
    private static final int SECONDS = 30;
    private static final DistanceSettings FAR = new DistanceSettings(1_000, 8_000, 1_500, 0);

    @ParameterizedTest
    @CsvSource({
        "--seconds,  29, --seconds is 30..86400",
        "--limit,    0,  --limit is 1..1000",
        "--base-ops, 0,  --base-ops is 1..1000000"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(AutoscaleCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    private static SeriesPoint point(int second, double offered, double done, long p99Micros, long waiting) {
        int instances = second > 12 && second <= 20 ? 3 : 1;
        return new SeriesPoint(second, offered, done, 10, p99Micros, List.of(instances, 1), 0.5, 0.001, 0.002, waiting);
    }

    /** 100 ops/s, from 10 to 20 s 700; the queue is gone after the 13th second, the latency near that of before after the 15th. */
    private static StepResponse response(Turnover turnover) {
        List<SeriesPoint> series = new ArrayList<>();
        for (int second = 1; second <= SECONDS; second++) {
            boolean step = second > 10 && second <= 20;
            boolean queue = second > 10 && second <= 13;
            boolean slow = second > 10 && second <= 15;
            series.add(point(
                    second, step ? 700 : 100, queue ? 300 : step ? 700 : 100, slow ? 90_000 : 4_000, queue ? 400 : 3));
        }
        return new StepResponse(4, SECONDS, OutcomeTest.result(0, series.toArray(SeriesPoint[]::new)), turnover);
    }

    @Test
    void shouldFindWhenTheStepWasAbsorbed() {
        StepResponse response = response(new Turnover());
        assertThat(response.absorbedAfter()).hasValue(5);
        assertThat(response.queueGoneAfter()).hasValue(3);
        assertThat(response.opsPerSecond(StepResponse.Phase.BEFORE)).isEqualTo(100);
        assertThat(response.opsPerSecond(StepResponse.Phase.STEP)).isEqualTo(580);
        assertThat(response.worstP99Millis(StepResponse.Phase.STEP)).isEqualTo(90);
        assertThat(response.settledP99Millis(StepResponse.Phase.STEP)).isEqualTo(4);
        assertThat(response.peakInstances(StepResponse.Phase.BEFORE)).isEqualTo(2);
        assertThat(response.peakInstances(StepResponse.Phase.STEP)).isEqualTo(4);
    }

    @Test
    void shouldSayThatAStepWasNeverAbsorbed() {
        List<SeriesPoint> series = new ArrayList<>();
        for (int second = 1; second <= SECONDS; second++) {
            // Good for two seconds now and then, which is not enough.
            boolean bad = second > 10 && second % 3 == 0;
            series.add(point(second, 100, 100, bad ? 90_000 : 4_000, bad ? 400 : 3));
        }
        StepResponse response =
                new StepResponse(1, SECONDS, OutcomeTest.result(0, series.toArray(SeriesPoint[]::new)), new Turnover());
        assertThat(response.absorbedAfter()).isEmpty();
        assertThat(response.queueGoneAfter()).isEmpty();
        assertThat(new AutoscaleResult(100, 7, SECONDS, FAR, List.of(response)).text())
                .contains("never");
    }

    private static void saw(Turnover turnover, int second, String... ids) {
        ArrayNode instances = JsonNodeFactory.instance.arrayNode();
        for (String id : ids) {
            instances
                    .addObject()
                    .put("deployment", "namenode0")
                    .put("state", "ready")
                    .put("id", id);
        }
        instances.addObject().put("deployment", "").put("state", "prewarmed").put("id", "spare");
        instances
                .addObject()
                .put("deployment", "namenode0")
                .put("state", "stopping")
                .put("id", "leaves");
        turnover.saw(1_000_000 + second * 1_000L, instances);
    }

    @Test
    void shouldCountInstancesThatComeAndGoWhileTheLoadIsConstant() {
        Turnover turnover = new Turnover();
        saw(turnover, 0, "a");
        saw(turnover, 12, "a", "b"); // the step's first half: wanted
        saw(turnover, 16, "a", "c"); // one goes, another comes: an oscillation
        saw(turnover, 17, "a", "c");
        saw(turnover, 24, "a");
        StepResponse response = response(turnover);
        assertThat(response.changesWhileConstant(StepResponse.Phase.BEFORE)).isZero();
        assertThat(response.changesWhileConstant(StepResponse.Phase.STEP)).isEqualTo(2);
        assertThat(response.changesWhileConstant(StepResponse.Phase.AFTER)).isZero();
        assertThat(turnover.starts(0, 30)).isEqualTo(2);
        assertThat(turnover.stops(0, 30)).isEqualTo(2);
    }

    @Test
    void shouldTellScriptsHowEachLimitResponded() {
        AutoscaleResult result = new AutoscaleResult(100, 7, SECONDS, FAR, List.of(response(new Turnover())));
        assertThat(names(result.json()))
                .containsExactly("schema", "baseOps", "factor", "seconds", "failed", "distance", "responses");
        JsonNode response = result.json().path("responses").path(0);
        assertThat(names(response))
                .containsExactly(
                        "maxInstances",
                        "absorbedAfterSeconds",
                        "queueGoneAfterSeconds",
                        "worstMillis",
                        "before",
                        "step",
                        "after",
                        "instances",
                        "result");
        assertThat(names(response.path("step")))
                .containsExactly(
                        "opsPerSecond", "settledP99Millis", "worstP99Millis", "peakInstances", "changesWhileConstant");
        assertThat(response.path("instances")).hasSize(SECONDS);
        assertThat(response.path("instances")
                        .path(14)
                        .path("byDeployment")
                        .path(0)
                        .asInt())
                .isEqualTo(3);
        assertThat(result.text())
                .contains("at most 4", "5.0 s", "3.0 s", "700")
                .contains("round trips of 1 ms by TCP and 8 ms by HTTP from the clients, 1.5 ms to the store, 0 ms");
        assertThat(result.json().path("distance").path("storeMicros").asInt()).isEqualTo(1_500);
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
