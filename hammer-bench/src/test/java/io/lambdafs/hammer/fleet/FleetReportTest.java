package io.lambdafs.hammer.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.cluster.terminal.HeadlessBrowser;
import io.lambdafs.hammer.result.Cost;
import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.Listings;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.result.ServerfulFleet;
import io.lambdafs.hammer.workload.LoadShape;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.platform.Prices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
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
                Map.of(
                        ReplayResult.BURST,
                        latency(4_000),
                        ReplayResult.BURST_READS,
                        latency(burst),
                        ReplayResult.CALM,
                        latency(1_000)),
                Listings.NONE,
                new Cost(usd, usd, usd, 1),
                ServerfulFleet.DEFAULT,
                5,
                series,
                failed == 0 ? List.of() : List.of("stat /<a>: not answered"),
                Map.of("Workload", "<mix>"),
                "");
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
                prices,
                new DistanceSettings(1_000, 8_000, 500, 500));
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
        assertThat(hopsfs.path("burstReads").path("meanMicros").asInt()).isEqualTo(350);
        assertThat(json.path("distance").path("storeMicros").asInt()).isEqualTo(500);
        assertThat(fleet().text())
                .contains("lambdafs", "hopsfs ", "March 2023")
                .contains("distance emulated: round trips of 1 ms by TCP and 8 ms by HTTP");
        assertThat(Files.readString(FleetReport.write(fleet(), folder.resolve("far"))))
                .contains("distance emulated: round trips of 1 ms by TCP");
    }

    @Test
    void shouldFailByWhatAServiceThatScalesHasNotDoneAndTellWhatOthersHaveNot() throws Exception {
        FleetResult fleet = fleet();
        assertThat(fleet.failures()).isEmpty();
        assertThat(fleet.text()).contains("not done 4");
        assertThat(fleet.json().at("/personas/1/failed").asInt()).isZero();
        assertThat(fleet.json().at("/personas/1/notDone").asInt()).isEqualTo(4);
        assertThat(fleet.summaryCsv().lines().toList().get(2)).startsWith("hopsfs,2.400,9000,0,4,");
        assertThat(Files.readString(FleetReport.write(fleet, folder))).contains("<td>not done 4</td>");

        FleetSize size = new FleetSize(16, 0.15, 256, 4, 128, 40 << 20);
        PersonaRun failing = new PersonaRun(Persona.LAMBDAFS_LIMITED, size, WORKLOAD, result(700, 2, 0.0009), prices);
        FleetResult failed = new FleetResult(List.of(failing), prices, DistanceSettings.NONE);
        assertThat(failed.failures())
                .hasSize(2)
                .first()
                .isEqualTo("lambdafs-limited: 2 operations failed or were not done");
        assertThat(failed.json().at("/personas/0/failed").asInt()).isEqualTo(2);
        assertThat(failed.json().at("/personas/0/notDone").asInt()).isZero();
    }

    @Test
    void shouldSetLambdaFsBesideTheTwoFleetsThatMatter() {
        PersonaRun atCost = new PersonaRun(
                Persona.HOPSFS_CACHE_AT_COST,
                new FleetSize(1, 0.2, 256, 4, 128, 1 << 20),
                WORKLOAD,
                result(100, 9, 0.1),
                prices);
        List<PersonaRun> runs = new ArrayList<>(fleet().runs());
        runs.add(atCost);
        FleetResult fleet = new FleetResult(runs, prices, DistanceSettings.NONE);
        assertThat(fleet.comparison())
                .containsExactly(
                        "λFS to hopsfs in the burst: throughput 2.00 ×, mean read latency 2.00 ×",
                        "λFS to the fleet at equal cost in the burst: done 7.00 ×, p99 1.00 ×");
        assertThat(fleet.text()).endsWith("p99 1.00 ×");
        assertThat(fleet.json().at("/comparison/0/burstReadMean").asDouble()).isEqualTo(2);
        assertThat(fleet.json().at("/comparison/1/to").asText()).isEqualTo("hopsfs-cache-at-cost");
        assertThat(new Beside(runs.get(1), runs.get(0)).burstReadMean()).isEqualTo(0.5);
    }

    @Test
    void shouldTellWhatASecondDidForItsCost() {
        // λFS: 0.0009 USD in 30 s; the fleet: 2.4 vCPU of 0.063 USD an hour.
        assertThat(fleet().runs().get(0).opsPerUsd().get(0)).isCloseTo(100 / 0.00003, within(1.0));
        assertThat(fleet().runs().get(0).opsPerUsd().get(15)).isCloseTo(700 / 0.00003, within(1.0));
        assertThat(fleet().runs().get(1).opsPerUsd().get(15)).isCloseTo(350 / (2.4 * 0.063 / 3_600), within(1.0));
        assertThat(fleet().json().at("/personas/0/series/0/opsPerUsd").asLong()).isEqualTo(3_333_333);
    }

    @Test
    void shouldSayOfAReportThatServicesAreMissing() throws Exception {
        FleetResult one = new FleetResult(fleet().runs().subList(0, 1), prices, 3, DistanceSettings.NONE);
        assertThat(Files.readString(FleetReport.write(one, folder)))
                .contains("Unfinished:</strong> 1 of 3 services are measured");
        assertThat(one.json().path("unfinished").asText()).isEqualTo("1 of 3 services are measured");
        assertThat(Files.readString(FleetReport.write(fleet(), folder))).doesNotContain("Unfinished:");
        assertThat(fleet().json().has("unfinished")).isFalse();
    }

    @Test
    void shouldRefuseALoadBesideTheOneThatItIsToFind() {
        CommandRun run = CommandRun.ofCommand(FleetCommand::new, "--fit", "--base-ops", "5");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", "--fit finds the load itself");
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
        assertThat(Persona.HOPSFS_STICKY.settings(all)).isEqualTo(Persona.HOPSFS.settings(all));
        assertThat(Persona.LAMBDAFS.settings(all)).isEmpty();
        assertThat(Persona.LAMBDAFS_LIMITED.settings(all).toString()).contains("\"maxInstances\":2");
        assertThat(Persona.LAMBDAFS_OFF.settings(all).toString()).contains("\"maxInstances\":1");
        assertThat(Persona.LAMBDAFS_REDUCED_CACHE.settings(all).toString()).contains("\"cacheBytes\":262144");
        FleetSize small = all.of(0.3);
        assertThat(small.servers()).isOne();
        assertThat(small.vcpu()).isCloseTo(0.3, within(1e-9));
        assertThat(small.memoryMb()).isEqualTo(512);
        FleetSize fewer = all.of(1.5);
        assertThat(fewer.servers()).as("servers about as large as the others").isEqualTo(3);
        assertThat(fewer.vcpu()).isCloseTo(1.5, within(1e-9));
        assertThat(fewer.memoryMb()).isEqualTo(853);
        assertThat(all.of(1.3).servers()).isEqualTo(2);
        assertThat(FleetSize.NONE.of(1)).as("without a limit").isEqualTo(FleetSize.NONE);
        assertThat(all.of(100)).isEqualTo(all);
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
                .allSatisfy(line -> assertThat(line.split(",", -1)).hasSize(23));
        assertThat(Files.readAllLines(folder.resolve("out/fleet-series.csv"))).hasSize(61);
        assertThat(new ObjectMapper()
                        .readTree(folder.resolve("out/fleet.json").toFile())
                        .path("personas"))
                .hasSize(2);
    }

    @Test
    void shouldBeDrawnByABrowser() throws Exception {
        Optional<Path> program = HeadlessBrowser.installed();
        Assumptions.assumeTrue(program.isPresent(), "no chromium is installed: apt-get install chromium");
        Path page = FleetReport.write(fleet(), folder.resolve("drawn"));
        HeadlessBrowser.check(program.get(), page, 5, folder.resolve("browser"));
    }
}
