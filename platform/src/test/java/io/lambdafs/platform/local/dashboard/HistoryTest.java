package io.lambdafs.platform.local.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static Totals at(double seconds, int instances) {
        double[] done = new double[Totals.BOUNDS];
        done[Totals.BOUNDS - 1] = seconds * 10;
        return new Totals(seconds, Map.of(), done, new double[Totals.BOUNDS], new int[] {instances}, 0, 0, 0);
    }

    @Test
    void shouldKeepTheLastMinutesWholeAndTheDaySparsely() {
        History history = new History();
        for (int second = 0; second <= 86_400; second++) {
            history.add(at(second, second == 40_001 ? 16 : 1));
        }
        List<Totals> recent = history.recent();
        assertThat(recent).hasSize(History.RECENT + 1);
        assertThat(recent.get(0).seconds()).isEqualTo(86_400 - History.RECENT);
        List<Totals> whole = history.whole();
        assertThat(whole.size()).isBetween(History.WHOLE / 2, History.WHOLE);
        assertThat(whole.get(0).seconds()).isZero();
        assertThat(whole.get(whole.size() - 1).seconds()).isGreaterThan(86_400 - 2.0 * history.stride());
        for (int i = 1; i < whole.size(); i++) {
            assertThat(whole.get(i).seconds() - whole.get(i - 1).seconds()).isEqualTo((double) history.stride());
        }
        // A second in which many instances ran is not forgotten with its point.
        assertThat(whole.stream().filter(each -> each.instances()[0] == 16)).hasSize(1);
        // Rates come out right whatever was left out.
        assertThat(DashboardJson.points(whole))
                .allSatisfy(point -> assertThat(point.path("reads").asDouble()).isEqualTo(10.0));
    }
}
