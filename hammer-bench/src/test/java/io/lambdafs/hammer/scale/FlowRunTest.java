package io.lambdafs.hammer.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lambdafs.hammer.Latency;
import io.lambdafs.hammer.ReplayResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Flows against formulas: one deployment whose every operation takes 1 ms of processor, 2,000 a second of two processors. */
final class FlowRunTest {
    private static final double WRITES = (2.7 + 0.02 + 0.75 + 1.3) / 100;

    private static ScaleResult run(String... changes) {
        List<String> all = new ArrayList<>(List.of(
                "workload.seconds=20",
                "workload.burst-factor=1",
                "workload.base-ops=1000",
                "namespace.directories=10",
                "clients.http-probability=0",
                "clients.processes=1",
                "clients.window=100",
                "clients.http-in-flight=4",
                "platform.deployments=1",
                "platform.vcpu=20",
                "platform.max-instances=1",
                "platform.cold-start-ms=1000",
                "platform.keep-alive-ms=3000",
                "platform.gateway-processors=2",
                "instance.vcpu=2",
                "instance.memory-mb=1024",
                "instance.concurrency=1",
                "service.factor=1",
                "service.client-us=7",
                "service.read-us=1000",
                "service.stat-us=1000",
                "service.list-us=1000",
                "service.create-us=1000",
                "service.rename-us=1000",
                "service.delete-us=1000",
                "service.miss-us=0",
                "service.inv-send-us=0",
                "service.inv-take-us=0",
                "service.http-instance-us=300",
                "service.http-gateway-us=500",
                "store.shards=2",
                "store.processors=4",
                "store.commit-us=100",
                "store.read-us=60",
                "store.sync-us=400",
                "network.round-trip-us=200",
                "network.jitter-us=50"));
        all.addAll(List.of(changes));
        Map<String, Double> values = ScaleFile.read("paper-25k", null, all);
        return FlowRun.run("test", values, 3, second -> {});
    }

    private static Latency latency(ScaleResult result, String kind) {
        Latency latency = result.replay().latencyMicros().get(kind);
        assertThat(latency).isNotNull();
        return latency;
    }

    private static ScaleResult.Part part(ScaleResult result, String name) {
        return result.parts().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Mean wait for one of two processors (Sakasegawa), milliseconds. */
    private static double waits(double busy) {
        return 0.5 * Math.pow(busy, Math.sqrt(6) - 1) / (1 - busy);
    }

    private static double median(double waits) {
        return Math.log(2) * waits + 0.5 + 0.5 * Math.log(2);
    }

    @Test
    void shouldServeWhatComesAndWaitAsQueuesDo() {
        ScaleResult result = run();
        ReplayResult replay = result.replay();
        assertThat(replay.operations()).isEqualTo(20_000);
        assertThat(replay.failed()).isZero();
        assertThat(replay.opsPerSecond()).isCloseTo(1_000, within(0.1));
        assertThat(replay.seconds()).isEqualTo(20);
        assertThat(replay.series()).hasSize(20).allSatisfy(point -> {
            assertThat(point.opsPerSecond()).isCloseTo(1_000, within(60.0));
            assertThat(point.waiting()).isZero();
        });
        // The percentiles drawn are the middles of tenths: the median is that of 45 or 55.
        double read = 0.257 + median(waits(0.5));
        assertThat(latency(result, "read").p50() / 1e3).isBetween(0.88 * read, 1.12 * read);
        // A commit and one and a half writes to the log, and a round trip.
        double write = read + 0.25 + 0.1 + 0.6;
        assertThat(latency(result, "create").p50() / 1e3).isBetween(0.92 * write, 1.08 * write);
        assertThat(part(result, "hottest instances").most()).isCloseTo(0.5, within(1e-6));
        assertThat(part(result, "store").mean()).isCloseTo(1_000 * WRITES * 100e-6 / 8, within(1e-4));
        assertThat(part(result, "gateway").most()).isZero();
        assertThat(result.counts()).containsEntry("INVs", 0L).containsEntry("instances started", 0L);
        assertThat(latency(result, ReplayResult.ALL).count())
                .as("those whose latency is told")
                .isCloseTo(20_000L, Percentage.withPercentage(0.5));
        assertThat(result.calls().count())
                .isEqualTo(latency(result, ReplayResult.ALL).count());
        // Busy for 1 ms of ten and for what an operation lasts: some nine tenths of a gigabyte for 20 s.
        double share = 1 - Math.exp(-1_000 * (0.002 + waits(0.5) / 1e3));
        assertThat(replay.cost().payPerUseUsd()).isCloseTo(share * 20 * 0.0000166667, Percentage.withPercentage(1));
        assertThat(replay.cost().simplifiedUsd()).isCloseTo(20 * 0.0000166667, Percentage.withPercentage(1));
    }

    @Test
    void shouldQueueWhatIsTooMuchAndDoItAfterwards() {
        ScaleResult result = run("workload.base-ops=3000", "workload.seconds=10");
        ReplayResult replay = result.replay();
        assertThat(replay.operations()).isEqualTo(30_000);
        // Two thirds in ten seconds, the rest in five more.
        assertThat(replay.seconds()).isEqualTo(15);
        assertThat(replay.opsPerSecond()).isCloseTo(2_000, within(10.0));
        assertThat(replay.series().get(9).waiting()).isCloseTo(10_000L, within(200L));
        assertThat(replay.series().get(4).waiting()).isCloseTo(5_000L, within(200L));
        // The last of the load waits for five seconds.
        assertThat(latency(result, ReplayResult.ALL).max() / 1e6).isBetween(5.0, 5.6);
        // A call itself waits for no more than a window of a hundred.
        assertThat(result.calls().max() / 1e6).isBetween(0.3, 1.0);
        assertThat(part(result, "hottest instances").most()).isEqualTo(1);
    }

    @Test
    void shouldScaleOutWhereCallsWaitAndInWhenTheyDoNot() {
        ScaleResult result = run(
                "platform.max-instances=3",
                "workload.step=1",
                "workload.burst-factor=4",
                "workload.seconds=30",
                "service.inv-send-us=1",
                "service.inv-take-us=1");
        ReplayResult replay = result.replay();
        assertThat(replay.failed()).isZero();
        assertThat(replay.peakInstances()).isEqualTo(3);
        assertThat(replay.finalInstances()).isEqualTo(1);
        assertThat(result.counts().get("instances started")).isEqualTo(2);
        // Two seconds after the step all are there: 4,000 a second of 6,000.
        assertThat(replay.series().get(14).opsPerSecond()).isBetween(3_800.0, 6_100.0);
        assertThat(replay.series().get(18).opsPerSecond()).isCloseTo(4_000, within(100.0));
        assertThat(replay.series().get(18).waiting()).isZero();
        // Each write of some seconds tells two others.
        assertThat(result.counts().get("INVs"))
                .isBetween((long) (2 * 4_000 * WRITES * 5), (long) (2 * 4_000 * WRITES * 14));
        assertThat(result.counts().get("HTTP calls")).isPositive();
        assertThat(latency(result, "create").p50())
                .isGreaterThan(latency(result, "read").p50() + 900);
    }

    @Test
    void shouldCallByHttpWhatIsReplaced() {
        ScaleResult result = run("clients.http-probability=0.01", "clients.replacements=1000");
        // A hundredth of 20,000.
        assertThat(result.counts().get("HTTP calls")).isBetween(190L, 210L);
        assertThat(part(result, "gateway").most()).isCloseTo(10 * 0.0005 / 2, within(0.001));
        ScaleResult few = run("clients.http-probability=0.01", "clients.replacements=1");
        assertThat(few.counts().get("HTTP calls")).isBetween(15L, 25L);
        assertThat(result.replay().cost().payPerUseUsd() - few.replay().cost().payPerUseUsd())
                .isCloseTo(180 * 0.2e-6, Percentage.withPercentage(15));
    }

    @Test
    void shouldTellTheBusiestSecondOfEachPartAndItsMean() {
        ScaleResult result = run(
                "workload.step=1",
                "workload.seconds=30",
                "workload.base-ops=400",
                "workload.burst-factor=4",
                "clients.http-probability=0.01",
                "clients.replacements=1000");
        // 400 a second, then 1,600, then 400 again; a hundredth by HTTP.
        assertThat(part(result, "gateway").most()).isCloseTo(16 * 0.0005 / 2, within(1e-6));
        assertThat(part(result, "gateway").mean()).isCloseTo(8 * 0.0005 / 2, within(1e-6));
        assertThat(part(result, "hottest instances").most()).isCloseTo(0.8, within(1e-6));
        assertThat(part(result, "hottest instances").mean()).isCloseTo(0.4, within(1e-6));
        assertThat(part(result, "store").most()).isCloseTo(1_600 * WRITES * 100e-6 / 8, within(1e-6));
        assertThat(part(result, "store").mean()).isCloseTo(800 * WRITES * 100e-6 / 8, within(1e-6));
        assertThat(result.replay().httpShare()).isCloseTo(0.01, within(1e-4));
    }

    @Test
    void shouldSendTheHotShareToOneDeployment() {
        ScaleResult even = run("platform.deployments=4", "workload.base-ops=4000", "namespace.directories=4000");
        assertThat(part(even, "hottest instances").most()).isBetween(0.5, 0.55);
        ScaleResult hot = run(
                "platform.deployments=4",
                "workload.base-ops=2000",
                "namespace.directories=4000",
                "namespace.hot-share=0.6");
        // Six tenths and a quarter of the rest.
        assertThat(part(hot, "hottest instances").most()).isBetween(0.68, 0.72);
        ScaleResult skewed = run("platform.deployments=4", "namespace.directories=4000", "namespace.zipf=2");
        // The first of them is asked for by 1 / (1 + 1/4 + 1/9 + …) of all.
        assertThat(part(skewed, "hottest instances").most()).isBetween(0.304, 0.5);
    }
}
