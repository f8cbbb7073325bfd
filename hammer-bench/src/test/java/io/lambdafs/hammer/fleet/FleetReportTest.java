package io.lambdafs.hammer.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.HeadlessBrowser;
import io.lambdafs.hammer.Cost;
import io.lambdafs.hammer.Latency;
import io.lambdafs.hammer.LoadShape;
import io.lambdafs.hammer.ReplayResult;
import io.lambdafs.hammer.SeriesPoint;
import io.lambdafs.hammer.ServerfulFleet;
import io.lambdafs.hammer.Workload;
import io.lambdafs.platform.local.pool.Prices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FleetReportTest {
    private static final Workload WORKLOAD =
            Workload.spotify(Duration.ofSeconds(30), 100, 5).withShape(LoadShape.STEP);

    private final PriceTable prices = PriceTable.read();

    @TempDir
    private Path folder;

    private static Latency latency(long micros) {
        return new Latency(10, micros, micros, micros, 2 * micros, 3 * micros, 4 * micros, List.of());
    }

    /** Done: 100 a second outside the burst, {@code burst} in it. */
    private static ReplayResult result(int burst, long failed, double usd) {
        List<SeriesPoint> series = new ArrayList<>();
        for (int second = 1; second <= 30; second++) {
            boolean in = second > 10 && second <= 20;
            series.add(new SeriesPoint(
                    second,
                    in ? 700 : 100,
                    in ? burst : 100,
                    1_000,
                    2_000,
                    List.of(1, 2),
                    0.9,
                    usd * second / 30,
                    0,
                    0));
        }
        return new ReplayResult(
                9_000,
                failed,
                30,
                300,
                300,
                3,
                0,
                0.9,
                0.01,
                Map.of(ReplayResult.ALL, latency(1_000)),
                Map.of(ReplayResult.BURST, latency(4_000), ReplayResult.CALM, latency(1_000)),
                new Cost(usd, usd, usd, 1),
                ServerfulFleet.DEFAULT,
                5,
                series,
                failed == 0 ? List.of() : List.of("stat /<a>: not answered"),
                Map.of("Workload", "<mix>"));
    }

    private FleetResult fleet() {
        return new FleetResult(
                List.of(
                        new PersonaRun(
                                Persona.LAMBDAFS,
                                new FleetSize(16, 0.15, 256, 4, 128, 40 << 20),
                                WORKLOAD,
                                result(700, 0, 0.0009),
                                prices),
                        new PersonaRun(
                                Persona.HOPSFS,
                                new FleetSize(4, 0.6, 1_024, 16, 512, 0),
                                WORKLOAD,
                                result(350, 4, 0.5),
                                prices)),
                prices);
    }

    @Test
    void shouldTellThroughputAndLatencyInTheBurstAndOutsideIt() throws Exception {
        JsonNode json = new ObjectMapper().readTree(fleet().json().toString());
        JsonNode hopsfs = json.path("personas").get(1);
        assertThat(hopsfs.path("name").asText()).isEqualTo("hopsfs");
        assertThat(hopsfs.path("burstOpsPerSecond").asInt()).isEqualTo(350);
        assertThat(hopsfs.path("burst").path("meanMicros").asInt()).isEqualTo(4_000);
        assertThat(hopsfs.path("calm").path("p999Micros").asInt()).isEqualTo(3_000);
        assertThat(hopsfs.path("series")).hasSize(30);
        assertThat(hopsfs.path("seed").asInt()).isEqualTo(5);
        assertThat(fleet().failures()).hasSize(2).first().asString().contains("hopsfs: 4 operations failed");
        assertThat(fleet().text()).contains("lambdafs", "hopsfs ", "March 2023");
    }

    @Test
    void shouldBillFunctionsByUseAndMachinesByTime() {
        FleetResult fleet = fleet();
        assertThat(fleet.runs().get(0).usd()).isEqualTo(0.0009);
        assertThat(fleet.runs().get(1).usd()).isCloseTo(2.4 * 0.063 * 30 / 3_600, within(1e-12));
        // Three instances of 256 MB at the peak, for 30 s.
        assertThat(fleet.runs().get(0).usd(CostModel.HELD)).isCloseTo(0.75 * 30 * 0.0000166667, within(1e-12));
        assertThat(fleet.runs().get(0).usd(CostModel.MACHINES)).isCloseTo(2.4 * 0.063 * 30 / 3_600, within(1e-12));
        assertThat(fleet.runs().get(0).usdPerMillionOps()).isCloseTo(0.1, within(1e-9));
        // The fleet of the same cost is as large as what λFS has cost buys.
        assertThat(prices.machinesUsd(prices.vcpuFor(0.0009, 30), 30)).isCloseTo(0.0009, within(1e-12));
    }

    @Test
    void shouldReckonWithThePricesThatTheGatewayAndTheReplayUse() {
        assertThat(new Prices(prices.usdPerGbSecond(), prices.usdPerMillionRequests()))
                .isEqualTo(Prices.lambda());
        assertThat(prices.usdPerVcpuHour()).isEqualTo(ServerfulFleet.R5_4XLARGE_USD_PER_VCPU_HOUR);
    }

    @Test
    void shouldGiveFixedFleetsWhatAllInstancesCouldHave() {
        FleetSize all = new FleetSize(4, 0.6, 1_024, 16, 512, 160 << 20);
        assertThat(all.vcpu()).isEqualTo(2.4);
        assertThat(Persona.HOPSFS.settings(all).toString())
                .contains("\"deployments\":4", "\"maxInstances\":1", "\"cpuShare\":0.6", "\"cacheBytes\":0");
        assertThat(Persona.HOPSFS_CACHE.settings(all).toString()).contains("\"cacheBytes\":" + (160 << 20));
        assertThat(Persona.LAMBDAFS.settings(all)).isEmpty();
        assertThat(Persona.LAMBDAFS_LIMITED.settings(all).toString()).contains("\"maxInstances\":2");
        assertThat(Persona.LAMBDAFS_OFF.settings(all).toString()).contains("\"maxInstances\":1");
        assertThat(Persona.LAMBDAFS_REDUCED_CACHE.settings(all).toString()).contains("\"cacheBytes\":262144");
        FleetSize small = all.of(0.3);
        assertThat(small.servers()).isOne();
        assertThat(small.vcpu()).isCloseTo(0.3, within(1e-9));
        assertThat(small.memoryMb()).isEqualTo(512);
        assertThat(all.of(100).vcpu()).isCloseTo(2.4, within(1e-9));
        assertThat(all.of(0).vcpu()).isCloseTo(0.05, within(1e-9));
    }

    @Test
    void shouldWriteAPageThatNeedsNothingElseAndTheSameAsCsvAndJson() throws Exception {
        Path page = FleetReport.write(fleet(), folder.resolve("out"));
        String html = Files.readString(page);
        assertThat(html)
                .contains("hopsfs", "&lt;mix&gt;", "Chart.js v4", "default-src 'none'")
                .doesNotContain("src=\"http", "href=", "{{style}}", "{{charts}}", "<mix>");
        assertThat(Files.readAllLines(folder.resolve("out/fleet.csv")))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line.split(",", -1)).hasSize(21));
        assertThat(Files.readAllLines(folder.resolve("out/fleet-series.csv"))).hasSize(61);
        assertThat(new ObjectMapper()
                        .readTree(folder.resolve("out/fleet.json").toFile())
                        .path("personas"))
                .hasSize(2);
    }

    @Test
    @Tag("once")
    void shouldBeDrawnByABrowser() throws Exception {
        Optional<Path> program = HeadlessBrowser.installed();
        Assumptions.assumeTrue(program.isPresent(), "no chromium is installed: apt-get install chromium");
        Path page = FleetReport.write(fleet(), folder.resolve("drawn"));
        HeadlessBrowser.check(program.get(), page, 4, folder.resolve("browser"));
    }
}
