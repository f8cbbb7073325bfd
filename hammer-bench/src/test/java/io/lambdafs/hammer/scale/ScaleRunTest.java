package io.lambdafs.hammer.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.model.FsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulation at sizes that take a second. */
final class ScaleRunTest {
    @TempDir
    private Path folder;

    /** A platform with processors of its own, and instances that are soon too small. */
    private static Map<String, Double> small(String... changes) {
        List<String> all = new ArrayList<>(List.of(
                "workload.seconds=15",
                "workload.base-ops=2000",
                "workload.burst-factor=5",
                "workload.step=1",
                "namespace.directories=200",
                "clients.processes=2",
                "clients.anti-thrashing=0",
                "platform.deployments=4",
                "platform.vcpu=12",
                "platform.cold-start-ms=300",
                "platform.cold-start-p90-ms=400",
                "platform.keep-alive-ms=2000",
                "instance.vcpu=1",
                "service.factor=100"));
        all.addAll(List.of(changes));
        return ScaleFile.read("paper-25k", null, all);
    }

    private static ScaleResult run(Map<String, Double> values, long seed) {
        return ScaleRun.run("test", values, seed, second -> {});
    }

    private static Latency all(ScaleResult result) {
        Latency all = result.replay().latencyMicros().get(ReplayResult.ALL);
        assertThat(all).isNotNull();
        return all;
    }

    private static int instancesAt(ScaleResult result, double second) {
        return result.replay().series().stream()
                .filter(point -> point.seconds() >= second)
                .findFirst()
                .map(SeriesPoint::instancesByDeployment)
                .stream()
                .flatMap(List::stream)
                .mapToInt(Integer::intValue)
                .sum();
    }

    @Test
    void shouldGiveTheSameBytesUnderTheSameSeed() {
        String first = run(small(), 7).json(null).toString();
        assertThat(run(small(), 7).json(null).toString()).isEqualTo(first);
        assertThat(run(small(), 8).json(null).toString()).isNotEqualTo(first);
    }

    @Test
    void shouldScaleOutInTheStepAndInAfterIt() {
        // Not so slow that what has queued up in the step takes until the end.
        ScaleResult result = run(small("service.factor=50"), 1);
        assertThat(result.replay().failed()).isZero();
        assertThat(instancesAt(result, 1)).isEqualTo(4);
        assertThat(result.replay().peakInstances()).isGreaterThan(4).isLessThanOrEqualTo(12);
        assertThat(result.replay().finalInstances()).isLessThan(result.replay().peakInstances());
        assertThat(result.counts().get("INVs")).isPositive();
    }

    @Test
    void shouldStayAsItIsWhereNothingMayScale() {
        ScaleResult result = run(small("platform.max-instances=1"), 1);
        assertThat(result.replay().peakInstances()).isEqualTo(4);
        assertThat(result.counts().get("INVs")).isZero();
        assertThat(all(result).mean()).isGreaterThan(2 * all(run(small(), 1)).mean());
    }

    @Test
    void shouldTakeAsLongAsItsParts() {
        ScaleResult result = run(
                small(
                        "workload.base-ops=100",
                        "workload.burst-factor=1",
                        "network.jitter-us=0",
                        "service.spread=0",
                        "platform.keep-alive-ms=60000",
                        "clients.http-probability=0"),
                1);
        // A read: half a round trip each way, 7 µs of the client and 700 of the instance, which have nothing else to
        // do.
        assertThat((double) all(result).p50()).isCloseTo(200 + 7 + 700, within(5.0));
        assertThat(result.replay().cacheHitRate()).isGreaterThan(0.9);
    }

    @Test
    void shouldBeSlowUntilCodeIsCompiled() {
        String[] calm = {"workload.base-ops=500", "workload.burst-factor=1", "platform.keep-alive-ms=60000"};
        Latency warm = all(run(small(calm), 1));
        Latency cold = all(run(small(calm[0], calm[1], calm[2], "service.cold-factor=8", "service.cold-ops=50"), 1));
        assertThat(cold.mean()).isGreaterThan(1.2 * warm.mean());
        assertThat((double) cold.p50()).isCloseTo((double) warm.p50(), within(0.2 * warm.p50()));
    }

    @Test
    void shouldLetCompilersOfNewInstancesTakeTheMachine() {
        String[] machine = {
            "machine.processors=2", "workload.base-ops=500", "service.factor=20", "platform.keep-alive-ms=60000"
        };
        ScaleResult without = run(small(machine), 1);
        ScaleResult with =
                run(small(machine[0], machine[1], machine[2], machine[3], "platform.compile-cpu-ms=2000"), 1);
        double gained =
                part(with, "instances").mean() - part(without, "instances").mean();
        assertThat(gained).isGreaterThan(0.1);
        assertThat(all(with).mean()).isGreaterThan(all(without).mean());
    }

    @Test
    void shouldReadTheStoreMoreWhereTheCacheIsSmall() {
        String[] calm = {"workload.base-ops=500", "workload.burst-factor=1", "platform.keep-alive-ms=60000"};
        ScaleResult whole = run(small(calm), 1);
        ScaleResult part = run(small(calm[0], calm[1], calm[2], "instance.cache-entries=100"), 1);
        assertThat(part.replay().cacheHitRate()).isLessThan(whole.replay().cacheHitRate() - 0.2);
    }

    @Test
    void shouldFindTheHotShard() {
        ScaleResult result = run(
                small("service.factor=1", "namespace.hot-share=0.9", "store.processors=1", "store.commit-us=2000"), 1);
        ScaleResult.Part hot = part(result, "hottest shard");
        assertThat(hot.mean()).isGreaterThan(2 * part(result, "store").mean());
    }

    private static ScaleResult.Part part(ScaleResult result, String name) {
        return result.parts().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldCountTheWaitForAPlaceAsLatency() {
        ScaleResult result = run(small("clients.window=1", "service.factor=20"), 1);
        assertThat(result.replay().failed()).isZero();
        assertThat(all(result).mean()).isGreaterThan(2 * result.calls().mean());
    }

    @Test
    void shouldChargeForRequests() {
        Map<String, Double> values = small("instance.memory-mb=1", "clients.http-probability=0.01");
        ScaleResult result = run(values, 1);
        double requests = result.counts().get("HTTP calls") * 0.2 / 1e6;
        assertThat(result.replay().cost().payPerUseUsd()).isBetween(0.9 * requests, 1.3 * requests);
    }

    @Test
    void shouldNameFileAndLineOfAWrongSetting() throws Exception {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, "platform:\n  deployment: 3\n");
        assertThatThrownBy(() -> ScaleFile.read("local", file, List.of()))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("mine.yaml:2")
                .hasMessageContaining("platform.deployments");
        assertThatThrownBy(() -> ScaleFile.read("local", null, List.of("store.shards=none")))
                .hasMessageContaining("store.shards=none");
        assertThatThrownBy(() -> ScaleFile.read("local", null, List.of("store.shards=0")))
                .hasMessageContaining("store.shards");
        assertThatThrownBy(() -> ScaleFile.read("local", null, List.of("platform.start-concurrency=0")))
                .hasMessageContaining("\"platform.start-concurrency\" must be 1 or more");
        // No number of things that rounds to none.
        assertThatThrownBy(() -> ScaleFile.read("local", null, List.of("clients.window=0.4")))
                .hasMessageContaining("\"clients.window\" must be 1 or more");
    }

    @Test
    void shouldReadItsOwnText() throws Exception {
        Map<String, Double> values = small();
        Path file = folder.resolve("all.yaml");
        Files.writeString(file, ScaleFile.text(values));
        assertThat(ScaleFile.read("local", file, List.of())).isEqualTo(values);
    }
}
