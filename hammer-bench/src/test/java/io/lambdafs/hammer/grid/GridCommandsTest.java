package io.lambdafs.hammer.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.CachedFiles;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Tests the cells and clusters of the grid experiments, before any is started. */
final class GridCommandsTest {
    private final Console console = Console.ofProcess();
    private final ClusterSettings usual =
            new LocalCluster(new ClusterDirectory(Path.of("none")), console).settings(LocalCluster.StartOptions.none());
    private final double vcpu =
            usual.deployments() * usual.pool().maxInstances() * usual.instance().cpuShare();

    @Test
    void shouldTryEachProbabilityWithEachLevel() {
        List<Setup> setups = new KnobsCommand(console).setups(usual);
        assertThat(setups)
                .extracting(Setup::label)
                .containsExactly(
                        "p 0.0, level 1",
                        "p 0.0, level 4",
                        "p 0.0, level 16",
                        "p 0.001, level 1",
                        "p 0.001, level 4",
                        "p 0.001, level 16",
                        "p 0.01, level 1",
                        "p 0.01, level 4",
                        "p 0.01, level 16");
        assertThat(setups).allMatch(each -> each.vcpu() == vcpu && !each.fixed());
        assertThat(setups.get(5).settings()).hasToString("{\"instance\":{\"concurrency\":16}}");
    }

    @Test
    void shouldMeasureServicesThatAreAsLarge() {
        List<Setup> setups = new ScalingCommand(console).setups(usual);
        assertThat(setups)
                .extracting(each -> each.label().split(" ")[0])
                .containsExactly("lambdafs", "hopsfs", "hopsfs-cache", "infinicache");
        assertThat(setups).allSatisfy(each -> {
            assertThat(each.vcpu()).isCloseTo(vcpu, within(1e-9));
            assertThat(each.label()).endsWith(String.format(java.util.Locale.ROOT, " %.2f vCPU", vcpu));
        });
        assertThat(setups).extracting(Setup::fixed).containsExactly(false, true, true, false);
        assertThat(setups.get(0).settings().path("instance").path("cpuShare").asDouble())
                .isCloseTo(usual.instance().cpuShare(), within(1e-9));
    }

    @Test
    void shouldGiveEachServiceTheProcessorsOfItsLabel() {
        ScalingCommand command = new ScalingCommand(console);
        new CommandLine(command)
                .parseArgs(
                        "--vcpu",
                        "3,6",
                        "--personas",
                        "lambdafs,lambdafs-limited,lambdafs-off,lambdafs-reduced-cache,held,hopsfs,infinicache");
        List<Setup> setups = command.setups(usual);
        assertThat(setups).hasSize(14).allSatisfy(each -> {
            JsonNode keys = each.settings();
            int instances = keys.path("deployments").asInt(usual.deployments())
                    * keys.path("pool").path("maxInstances").asInt(usual.pool().maxInstances());
            double share = keys.path("instance").path("cpuShare").asDouble();
            assertThat(instances * share).as(each.label()).isCloseTo(each.vcpu(), within(1e-9));
            assertThat(each.label()).endsWith(each.vcpu() == 3 ? " 3.00 vCPU" : " 6.00 vCPU");
        });
        assertThat(setups.get(3).settings().path("instance").path("cacheBytes").asLong())
                .as("the reduced cache")
                .isPositive()
                .isLessThan(usual.instance().cacheBytes());
    }

    @Test
    void shouldMeasureBothWaysOfOneCluster() {
        List<Setup> setups = new WaysCommand(console).setups(usual);
        assertThat(setups).hasSize(2);
        assertThat(setups.get(0).settings()).isEqualTo(setups.get(1).settings());
        assertThat(setups.get(0).label()).isNotEqualTo(setups.get(1).label());
    }

    @Test
    void shouldMeasureWhatThePaperDoes() {
        assertThat(new ScalingCommand(console).usualOps()).containsExactly(GridOp.values());
        assertThat(new ScalingCommand(console).usualClients()).containsExactly(1, 8, 64);
        assertThat(new KnobsCommand(console).usualOps()).containsExactly(GridOp.READ);
        assertThat(new KnobsCommand(console).usualClients()).containsExactly(16, 128);
        assertThat(new ScalingCommand(console).empty().name()).isEqualTo("scaling");
        assertThat(new KnobsCommand(console).empty().name()).isEqualTo("knobs");
        assertThat(new WaysCommand(console).empty().name()).isEqualTo("ways");
    }

    @ParameterizedTest
    @CsvSource({
        "knobs, --p, 0.02, --p is 0..0.01",
        "knobs, --levels, 0, --levels is 1..10000",
        "knobs, --operations, 0, --operations is 1 or more",
        "knobs, --seconds, 0, --seconds is 0..3600",
        "knobs, --clients, 0, --clients is 1..4096",
        "knobs, --clients, 4097, --clients is 1..4096",
        "knobs, --ops, 'read,fly', there is no \"fly\"; there are read, stat, ls, create, mkdirs",
        "scaling, --vcpu, 0, --vcpu is 0..1024",
        "scaling, --vcpu, 1025, --vcpu is 0..1024",
        "scaling, --personas, 'lambdafs,gfs', there is no \"gfs\"",
        "scaling, --personas, hopsfs-cache-at-cost, see bench fleet"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String bench, String option, String value, String why) {
        Function<Console, Object> command = bench.equals("knobs") ? KnobsCommand::new : ScalingCommand::new;
        CommandRun run = CommandRun.ofCommand(command, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldAskForEveryFileBeforeItAsksForOneAgain() {
        CachedFiles files = new CachedFiles(FsPath.of("/files"), 1_024);
        FsPath fresh = FsPath.of("/fresh");
        Set<FsPath> seen = new HashSet<>();
        for (long number = 0; number < 1_024; number++) {
            seen.add(GridOp.READ.number(number, files, fresh).path());
        }
        assertThat(seen).hasSize(1_024);
        assertThat(GridOp.STAT.number(1, files, fresh)).isEqualTo(new ReadOperation.Stat(FsPath.of("/files/d36/f579")));
        assertThat(GridOp.LS.number(1, files, fresh))
                .isEqualTo(new ReadOperation.ListPage(FsPath.of("/files/d36"), "", 1_000));
        assertThat(GridOp.MKDIRS.number(130, files, fresh))
                .isEqualTo(new NamespaceOperation.Mkdirs(FsPath.of("/fresh/2/d130"), 0755, false));
        Operation<?> create = GridOp.CREATE.number(65, files, fresh);
        assertThat(create.path()).isEqualTo(FsPath.of("/fresh/1/f65"));
        assertThat(((FileOperation.Create) create).mode()).isEqualTo(0644);
        assertThat(Arrays.stream(GridOp.values()).filter(GridOp::isWrite))
                .containsExactly(GridOp.CREATE, GridOp.MKDIRS);
        assertThat(GridOp.of("ls")).contains(GridOp.LS);
        assertThat(GridOp.of("LS")).isEmpty();
    }
}
