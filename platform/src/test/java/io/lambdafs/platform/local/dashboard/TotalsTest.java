package io.lambdafs.platform.local.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.operation.OperationKind;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.platform.HotPartition;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.dashboard.Totals.Count;
import io.lambdafs.platform.local.pool.UsageView;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TotalsTest {
    private static final List<String> NAMES = List.of("namenode0", "namenode1");

    private static Totals of(double seconds, String page) {
        UsageView.Deployment share = new UsageView.Deployment(2, 2, 3, 0, 0, 0, 0, 0);
        UsageView usage = new UsageView(512, 1024, 0, Map.of("namenode1", share));
        return Totals.of(seconds, MetricsPage.parse(page), usage, new double[] {0.5, 1}, NAMES);
    }

    private static String page(int hits, int fast, int slow) {
        String labels = "{deployment=\"1\",operation=\"stat\",le=";
        return "# TYPE lambdafs_cache_hits counter\n"
                + "lambdafs_cache_hits_total{deployment=\"1\",role=\"entry\"} " + hits + "\n"
                + "lambdafs_cache_hits_total{deployment=\"7\",role=\"entry\"} 1000\n"
                + "# TYPE lambdafs_cache_misses counter\n"
                + "lambdafs_cache_misses_total{deployment=\"1\",role=\"entry\"} 10\n"
                + "# TYPE lambdafs_operation_seconds histogram\n"
                + "lambdafs_operation_seconds_bucket" + labels + "\"4.0E-6\"} 0\n"
                + "lambdafs_operation_seconds_bucket" + labels + "\"0.001024\"} " + fast + "\n"
                + "lambdafs_operation_seconds_bucket" + labels + "\"0.131072\"} " + (fast + slow) + "\n"
                + "lambdafs_operation_seconds_bucket" + labels + "\"+Inf\"} " + (fast + slow) + "\n"
                + "lambdafs_operation_seconds_count{deployment=\"1\",operation=\"stat\"} " + (fast + slow) + "\n"
                + "# TYPE lambdafs_invalidation_round_seconds histogram\n"
                + "lambdafs_invalidation_round_seconds_bucket{deployment=\"1\",kind=\"inode\",le=\"0.131072\"} 5\n"
                + "lambdafs_invalidation_round_seconds_bucket{deployment=\"1\",kind=\"inode\",le=\"0.262144\"} 6\n"
                + "lambdafs_invalidation_round_seconds_bucket{deployment=\"1\",kind=\"inode\",le=\"+Inf\"} 7\n";
    }

    @Test
    void shouldCountByDeploymentAndLeaveOutWhatItDoesNotKnow() {
        Totals totals = of(1, page(90, 1, 0));
        assertThat(totals.count(Count.HITS, 1)).isEqualTo(90);
        assertThat(totals.count(Count.HITS, 0)).isZero();
        assertThat(totals.count(Count.HITS, 5)).isZero();
        assertThat(totals.sum(Count.HITS)).isEqualTo(90);
        assertThat(totals.count(Count.LONG_ROUNDS, 1)).isEqualTo(2);
        assertThat(totals.instances()).containsExactly(0, 2);
        assertThat(totals.queued()).isEqualTo(3);
    }

    @Test
    void shouldTellTheDeploymentThatDidMoreThanItsShare() {
        assertThat(DashboardJson.hot(NAMES, of(10, page(0, 100, 0)), of(20, page(0, 700, 0))))
                .hasValue(new HotPartition("namenode1", 1, 2));
        assertThat(DashboardJson.hot(NAMES, of(10, page(0, 100, 0)), of(20, page(0, 150, 0))))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void shouldTellAnswersFromFaults(ErrorCode code) {
        String page = "# TYPE lambdafs_failures counter\n"
                + "lambdafs_failures_total{code=\"" + code + "\",deployment=\"1\",kind=\""
                + code.kind().name().toLowerCase(Locale.ROOT) + "\"} 6\n";

        JsonNode row =
                DashboardJson.deployments(NAMES, of(10, ""), of(12, page)).get(1);

        assertThat(row.path("refusals").asDouble()).isEqualTo(code.number() < 300 ? 3 : 0);
        assertThat(row.path("passing").asDouble()).isEqualTo(code.number() / 100 == 3 ? 3 : 0);
        assertThat(row.path("faults").asDouble()).isEqualTo(code.number() >= 400 ? 3 : 0);
    }

    @ParameterizedTest
    @EnumSource(OperationKind.class)
    void shouldCountAsReadsWhatReads(OperationKind kind) {
        String name = kind.name().replace("_", "");
        boolean isRead = Arrays.stream(ReadOperation.class.getPermittedSubclasses())
                .anyMatch(each -> each.getSimpleName().equalsIgnoreCase(name));

        JsonNode point = DashboardJson.point(
                of(10, ""), of(11, page(0, 4, 0).replace("stat", kind.name().toLowerCase(Locale.ROOT))));

        assertThat(point.path("reads").asDouble()).isEqualTo(isRead ? 4 : 0);
        assertThat(point.path("writes").asDouble()).isEqualTo(isRead ? 0 : 4);
    }

    @Test
    void shouldTellWhatHappenedBetweenTwoMoments() {
        JsonNode point = DashboardJson.point(of(10, page(90, 100, 0)), of(12, page(120, 290, 10)));
        assertThat(point.path("reads").asDouble()).isEqualTo(100);
        assertThat(point.path("writes").asDouble()).isZero();
        // 30 hits and no miss in these two seconds, whatever was before.
        assertThat(point.path("hits").asDouble()).isEqualTo(1);
        assertThat(point.path("http").asDouble()).isEqualTo(-1);
        assertThat(point.path("readP50").asDouble()).isCloseTo(1024 / Math.sqrt(2), within(60.0));
        assertThat(point.path("readP99").asDouble()).isBetween(65_536.0, 131_072.0);
        assertThat(point.path("writeP99").asDouble()).isZero();
        JsonNode row = DashboardJson.deployments(NAMES, of(10, page(90, 100, 0)), of(12, page(120, 290, 10)))
                .get(1);
        assertThat(row.path("operations").asDouble()).isEqualTo(100);
        assertThat(row.path("hits").asDouble()).isEqualTo(15);
    }
}
