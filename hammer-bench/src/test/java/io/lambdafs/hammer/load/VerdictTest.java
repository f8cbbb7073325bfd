package io.lambdafs.hammer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.workload.LoadShape;
import io.lambdafs.hammer.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final Capacity QUIET = new Capacity(6_000, 0.05);
    /** Its burst is from the 10th to the 20th second. */
    private static final Workload STEP =
            Workload.spotify(Duration.ofSeconds(30), 1_500, 1).withShape(LoadShape.STEP);

    private static Verdict of(
            Capacity capacity, int spares, long p99Millis, int failed, IntFunction<List<Integer>> instances) {
        SeriesPoint[] series = IntStream.rangeClosed(1, 30)
                .mapToObj(second ->
                        new SeriesPoint(second, 100, 100, 10, 1_000 * p99Millis, instances.apply(second), 0.5, 0, 0, 0))
                .toArray(SeriesPoint[]::new);
        return Verdict.of(OutcomeTest.result(failed, series), STEP, capacity, spares, 8);
    }

    private static List<Integer> grownAndBack(int second) {
        return second > 10 && second < 27 ? List.of(4, 3, 2, 1) : List.of(1, 1, 1, 1);
    }

    @Test
    void shouldSayWhatWasShown() {
        Verdict shown = of(QUIET, 8, 4, 0, VerdictTest::grownAndBack);
        assertThat(shown.missed()).isEmpty();
        assertThat(shown.line()).isEqualTo("scaled from 4 instances to 10 and back to 4, 3 deployments among them");
        assertThat(shown.json())
                .hasToString("{\"shown\":true,\"instancesBefore\":4,\"instancesAtPeak\":10,\"instancesAfter\":4,"
                        + "\"deploymentsGrown\":3,\"missed\":[]}");
    }

    @Test
    void shouldNameEachFigureThatStoppedIt() {
        Verdict nothing = of(new Capacity(900, 0.4), 3, 700, 2, second -> List.of(1, 1, 1, 1));
        assertThat(nothing.missed())
                .containsExactly(
                        "one instance of each deployment carries 900 ops/s, less than the base load of 1,500",
                        "0 deployments grew, from 4 to 4 instances",
                        "the burst was not absorbed",
                        "p99 of a second outside the burst's beginning was 700 ms",
                        "2 operations failed",
                        "3 of 8 prewarmed processes had rehearsed before the load",
                        "others used 40 % of the processors");
        assertThat(nothing.line())
                .startsWith("scaled from 4 instances to 4 and back to 4, 0 deployments among them; this machine did not"
                        + " show it: one instance");
        assertThat(nothing.json().path("missed")).hasSize(7);
    }

    @Test
    void shouldWantMoreThanOneDeploymentToGrowAndAllToShrink() {
        assertThat(of(QUIET, 8, 4, 0, second -> second > 10 ? List.of(6, 1, 1, 1) : List.of(1, 1, 1, 1))
                        .missed())
                .containsExactly(
                        "1 deployments grew, from 4 to 9 instances", "9 instances were left, 4 before the burst");
    }

    @Test
    void shouldNotBlameABusyMachineForWhatItShowed() {
        assertThat(of(new Capacity(6_000, 0.9), 0, 4, 0, VerdictTest::grownAndBack)
                        .isShown())
                .isTrue();
    }
}
