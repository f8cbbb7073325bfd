package io.lambdafs.hammer.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SampleResult;
import io.lambdafs.hammer.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each figure stands under its name, and a service is paid for by its own model. */
final class FleetFiguresTest {
    private static final FleetSize SIZE = new FleetSize(4, 0.5, 1_024, 16, 512, 0);
    private static final Workload WORKLOAD = Workload.spotify(Duration.ofSeconds(30), 100, 5);

    private final PriceTable prices = new PriceTable("a cloud", "a date", 0.0001, 0.3, 3.6);

    @TempDir
    private Path folder;

    private PersonaRun run(Persona persona, ReplayResult result) {
        return new PersonaRun(persona, SIZE, WORKLOAD, result, prices);
    }

    private FleetResult fleet() {
        return new FleetResult(
                List.of(
                        run(Persona.LAMBDAFS, SampleResult.whole()),
                        run(Persona.HOPSFS, SampleResult.with(1_000, List.of("late")))),
                prices,
                DistanceSettings.NONE);
    }

    @Test
    void shouldPayForEachServiceByItsModel() {
        PersonaRun held = run(Persona.HELD, SampleResult.whole());
        // Seven instances of 1 GB at the peak, for the 30.12345 s until the last operation ended.
        double usd = 7 * 30.12345 * 0.0001;
        assertThat(held.usd()).isCloseTo(usd, within(1e-12));
        assertThat(held.usdAt(held.result().series().get(1))).isCloseTo(usd * 2.006 / 30.12345, within(1e-12));
        assertThat(held.usdPerMillionOps()).isCloseTo(usd / 0.009, within(1e-9));

        PersonaRun serverless = run(Persona.INFINICACHE, SampleResult.whole());
        assertThat(serverless.usd()).isEqualTo(0.0123456);
        assertThat(serverless.usdAt(serverless.result().series().get(1))).isEqualTo(0.003);

        PersonaRun machines = run(Persona.HOPSFS_CACHE, SampleResult.with(1_000, List.of()));
        // Two processors at 3.6 USD an hour.
        assertThat(machines.usd()).isCloseTo(2 * 0.001 * 30.12345, within(1e-12));
        assertThat(machines.usdAt(machines.result().series().get(1))).isCloseTo(2 * 0.001 * 2.006, within(1e-12));
        assertThat(machines.usdPerMillionOps()).isCloseTo(machines.usd() / 0.008, within(1e-9));
        assertThat(run(Persona.LAMBDAFS, SampleResult.with(9_000, List.of())).usdPerMillionOps())
                .isZero();

        assertThat(machines.usd(CostModel.PAY_PER_USE)).isEqualTo(0.0123456);
        assertThat(machines.usd(CostModel.SIMPLIFIED)).isEqualTo(0.0234567);
    }

    @Test
    void shouldTellWhichServicesScaleAndWhichArePaidByUse() {
        assertThat(Arrays.stream(Persona.values()).filter(Persona::scales))
                .containsExactly(
                        Persona.LAMBDAFS,
                        Persona.LAMBDAFS_LIMITED,
                        Persona.LAMBDAFS_OFF,
                        Persona.LAMBDAFS_REDUCED_CACHE,
                        Persona.HELD);
        assertThat(Arrays.stream(Persona.values()).filter(each -> each.isServerless() && !each.scales()))
                .containsExactly(Persona.INFINICACHE);
        assertThat(Persona.LAMBDAFS_LIMITED.instances(5)).isEqualTo(2);
        assertThat(Persona.LAMBDAFS_LIMITED.instances(1)).isEqualTo(1);
        assertThat(Persona.LAMBDAFS_OFF.instances(5)).isEqualTo(1);
        assertThat(Persona.HELD.instances(5)).isEqualTo(5);
        assertThat(Persona.HELD.settings(SIZE)).hasToString("{\"pool\":{\"keepAliveMillis\":3600000}}");
        assertThat(Persona.of("hopsfs-cache-at-cost")).contains(Persona.HOPSFS_CACHE_AT_COST);
        assertThat(Persona.of("HOPSFS")).isEmpty();
        assertThat(Persona.HOPSFS.settings(SIZE))
                .hasToString(
                        "{\"deployments\":4,\"pool\":{\"maxInstances\":1,\"prewarm\":0,\"keepAliveMillis\":3600000,"
                                + "\"memoryMb\":4096},\"instance\":{\"cpuShare\":0.5,\"memoryMb\":1024,\"concurrency\":16,"
                                + "\"maxInFlight\":512,\"cacheBytes\":0}}");
        assertThat(Persona.values()).allSatisfy(each -> assertThat(each.what()).isNotEmpty());
    }

    @Test
    void shouldBeAsLargeAsAllInstances() {
        ClusterSettings usual = new LocalCluster(new ClusterDirectory(Path.of("none")), Console.ofProcess())
                .settings(LocalCluster.StartOptions.none());
        var instance = usual.instance();
        assertThat(FleetSize.ofInstances(usual, 3))
                .isEqualTo(new FleetSize(
                        usual.deployments() * 3,
                        instance.cpuShare(),
                        instance.memoryMb(),
                        instance.concurrency(),
                        instance.maxInFlight(),
                        instance.cacheBytes()));
        assertThat(FleetSize.ofAll(usual, 3))
                .isEqualTo(new FleetSize(
                        usual.deployments(),
                        instance.cpuShare() * 3,
                        instance.memoryMb() * 3,
                        instance.concurrency() * 3,
                        instance.maxInFlight() * 3,
                        instance.cacheBytes() * 3));
        assertThat(SIZE.withVcpu(6)).isEqualTo(new FleetSize(4, 1.5, 1_024, 16, 512, 0));
    }

    @Test
    void shouldPutEachFigureUnderItsNameInCsv() {
        List<String> lines = fleet().summaryCsv().lines().toList();
        assertThat(lines.get(0))
                .isEqualTo("persona,vcpu,operations,failed,not_done,ops_per_s,burst_ops_per_s,calm_p50_us,calm_p99_us,"
                        + "calm_p999_us,burst_mean_us,burst_read_mean_us,burst_p50_us,burst_p99_us,burst_p999_us,"
                        + "peak_instances,cache_hit_rate,usd,usd_per_million_ops,"
                        + "pay_per_use_usd,simplified_usd,held_usd,machines_usd");
        String shared = "298.8,0.0,1000,2000,2500,4000.5,3000.5,8000,16000,20000,7,0.9123,";
        String costs = "0.012345600,0.023456700,0.021086415,0.060246900";
        assertThat(lines.get(1)).isEqualTo("lambdafs,2.000,9000,0,0," + shared + "0.012345600,1.371733," + costs);
        assertThat(lines.get(2)).isEqualTo("hopsfs,2.000,9000,0,1000," + shared + "0.060246900,7.530863," + costs);
        assertThat(fleet().seriesCsv()).isEqualTo("""
                persona,seconds,offered_per_s,done_per_s,p50_us,p99_us,instances,usd,ops_per_usd,waiting
                lambdafs,1.00,310.1,305.0,1500,2500,3,0.001000000,306260,5
                lambdafs,2.01,290.0,295.1,1600,2600,7,0.003000000,147825,6
                hopsfs,1.00,310.1,305.0,1500,2500,3,0.002008000,152520,5
                hopsfs,2.01,290.0,295.1,1600,2600,7,0.004012000,147530,6
                """);
    }

    @Test
    void shouldPutEachFigureUnderItsNameInText() {
        assertThat(fleet().text().lines().toList().subList(0, 3).stream()
                        .map(line -> line.strip().replaceAll(" +", " "))
                        .toList())
                .containsExactly(
                        "vCPU done/s in burst p50 ms p99 p99.9 mean read mean p50 p99 p99.9 instances cost $/M ops failed",
                        "lambdafs 2.00 299 0 1.0 2.0 2.5 4.0 3.00 8.0 16.0 20.0 7 $0.012346 1.372 0",
                        "hopsfs 2.00 299 0 1.0 2.0 2.5 4.0 3.00 8.0 16.0 20.0 7 $0.060247 7.531 not done 1,000");
        assertThat(fleet().text())
                .contains(
                        "prices: a cloud, a date)\n"
                                + "distance emulated: none: every link is as short as this machine makes it\nλFS to hopsfs in the burst: throughput not measured")
                .endsWith("\nlambdafs: at most 3+4 instances of its deployments; "
                        + SampleResult.whole().listings().line());
    }

    @Test
    void shouldPutEachFigureUnderItsNameInJson() {
        String json = fleet().json().toString();
        assertThat(json)
                .startsWith("{\"schema\":1,\"distance\":{\"tcpMicros\":0,\"httpMicros\":0,\"storeMicros\":0,"
                        + "\"coordinationMicros\":0},\"prices\":{\"cloud\":\"a cloud\",\"date\":\"a date\",\"usdPerGbSecond\":1.0E-4,"
                        + "\"usdPerMillionRequests\":0.3,\"usdPerVcpuHour\":3.6},\"personas\":[{\"name\":\"lambdafs\",")
                .contains("\"vcpu\":2.0,\"operations\":9000,\"failed\":0,\"notDone\":1000,\"opsPerSecond\":299,"
                        + "\"burstOpsPerSecond\":0,\"peakInstances\":7,\"cacheHitRate\":0.91234,")
                .contains("\"hot\":0.0,\"peakByDeployment\":[3,4],\"listings\":{\"pages\":2000,\"unreadShare\":0.83,")
                .contains("\"costs\":{\"payPerUseUsd\":0.0123456,\"simplifiedUsd\":0.0234567,\"heldUsd\":")
                .contains(
                        "\"burst\":{\"meanMicros\":4000.5,\"p50Micros\":8000,\"p99Micros\":16000,\"p999Micros\":20000},"
                                + "\"burstReads\":{\"meanMicros\":3000.5,")
                .contains(
                        "\"curves\":{\"read\":[{\"percentile\":0.0,\"micros\":700},{\"percentile\":90.0,\"micros\":2100}],"
                                + "\"create\":[]}")
                .contains("{\"t\":2.006,\"offered\":290.04,\"done\":295.06,\"p50\":1600,\"p99\":2600,\"instances\":7,"
                        + "\"usd\":0.003,\"opsPerUsd\":147825,\"waiting\":6}")
                .endsWith(
                        "\"comparison\":[{\"to\":\"hopsfs\",\"burstDone\":0.0,\"burstReadMean\":1.0,\"burstP99\":1.0}]}");
    }

    @Test
    void shouldPutEachFigureUnderItsNameOnThePage() throws Exception {
        String html = Files.readString(FleetReport.write(fleet(), folder));
        assertThat(html)
                .contains(
                        "\">hopsfs</th><td>2.00</td><td>299</td><td>0</td><td>0.50</td><td>1.00</td><td>2.0</td><td>2.5</td>"
                                + "<td>4.00</td><td>3.00</td><td>8.00</td><td>16.0</td><td>20.0</td><td>7</td><td>$0.060247</td>"
                                + "<td>$7.531</td><td>not done 1,000</td></tr>")
                .contains(
                        "<td>a cloud, a date: functions $0.0001000000 per GB-second while they serve and $0.30 per million"
                                + " requests; machines $3.600 per vCPU and hour, from the first second to the last</td>")
                .contains("cost: $0.012346 as functions while they serve, $0.023457 as functions while they are there,"
                        + " $0.021086 as functions held at their peak, $0.060247 as virtual machines")
                .contains("<tr><th scope=\"row\">lambdafs: Workload</th><td>a &lt;mix&gt;</td></tr>")
                .contains("<p>λFS to hopsfs in the burst: throughput not measured, mean read latency 1.00 ×</p>");
    }

    @Test
    void shouldSayHowManyTimesLessALatencyIs() {
        PersonaRun ours = run(Persona.LAMBDAFS, SampleResult.whole());
        assertThat(Beside.of(List.of(ours, run(Persona.INFINICACHE, SampleResult.whole()))))
                .singleElement()
                .satisfies(beside -> assertThat(beside.lines()).isEmpty());
        assertThat(Beside.of(List.of(run(Persona.HOPSFS, SampleResult.whole()))))
                .isEmpty();
    }
}
