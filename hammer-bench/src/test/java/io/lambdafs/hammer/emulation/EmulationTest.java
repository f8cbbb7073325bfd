package io.lambdafs.hammer.emulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class EmulationTest {
    @Command
    private static final class Asking {
        @Mixin
        private EmulateOption emulate = new EmulateOption();
    }

    @TempDir
    private Path folder;

    private static EmulateOption option(String... arguments) {
        Asking asking = new Asking();
        new CommandLine(asking).parseArgs(arguments);
        return asking.emulate;
    }

    private ClusterSettings settings(Emulation emulation, LocalCluster.StartOptions options) {
        return new LocalCluster(new ClusterDirectory(folder.resolve("none")), Console.ofProcess())
                .settings(emulation.under(options));
    }

    /** The paper tells 1–2 ms by TCP and 8–20 ms by HTTP. */
    @Test
    void shouldLayThePapersDistancesOnAClusterAndASmallShareOnItsInstances() {
        ClusterSettings usual = settings(option().orNone(), LocalCluster.StartOptions.none());
        ClusterSettings paper = settings(option().orPaper(), LocalCluster.StartOptions.none());
        assertThat(usual).isEqualTo(settings(option("--emulate", "none").orPaper(), LocalCluster.StartOptions.none()));
        assertThat(usual.distance()).isEqualTo(DistanceSettings.NONE);
        assertThat(paper.distance()).isEqualTo(new DistanceSettings(1_000, 8_000, 1_000, 1_000));
        assertThat(paper.instance().cpuShare()).isEqualTo(0.04);
        assertThat(paper.instance().memoryMb()).isEqualTo(128);
        assertThat(paper).isEqualTo(settings(option("--emulate", "paper").orNone(), LocalCluster.StartOptions.none()));
    }

    /** A peer compared to λFS is another cluster with other settings: it is as far away. */
    @Test
    void shouldLeaveTheDistanceToWhoeverSaysAnotherShare() {
        ObjectNode fleet = JsonNodeFactory.instance.objectNode();
        fleet.putObject("instance").put("cpuShare", 0.6).put("cacheBytes", 0);
        ClusterSettings settings = settings(option().orPaper(), new LocalCluster.StartOptions(null, fleet));
        assertThat(settings.distance().storeMicros()).isEqualTo(1_000);
        assertThat(settings.instance().cpuShare()).isEqualTo(0.6);
    }

    @Test
    void shouldReadAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("far.yaml"), "round-trip-us: {store: 2500}\n");
        Emulation emulation = option("--emulate", file.toString()).orNone();
        ClusterSettings settings = settings(emulation, LocalCluster.StartOptions.none());
        assertThat(settings.distance()).isEqualTo(new DistanceSettings(0, 0, 2_500, 0));
        assertThat(settings.instance())
                .isEqualTo(settings(option().orNone(), LocalCluster.StartOptions.none())
                        .instance());
        assertThat(Emulation.line(settings.distance()))
                .isEqualTo("distance emulated: round trips of 0 ms by TCP and 0 ms by HTTP from the clients, 2.5 ms to"
                        + " the store, 0 ms for an INV");
        assertThat(Emulation.json(settings.distance()).toString())
                .isEqualTo("{\"tcpMicros\":0,\"httpMicros\":0,\"storeMicros\":2500,\"coordinationMicros\":0}");
        assertThat(Emulation.line(DistanceSettings.NONE)).startsWith("distance emulated: none");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "round-trips: {tcp: 1}|there is no key \"round-trips\"",
                "round-trip-us: {udp: 1}|there is no key \"udp\"",
                "round-trip-us: {tcp: 1.5}|must be a whole number, not 1.5",
                "round-trip-us: {tcp: -1}|must be a whole number, not -1",
                "instance: {vcpu: much}|must be a number"
            })
    void shouldSayWhatIsWrongWithAFile(String text, String why) throws Exception {
        Path file = Files.writeString(folder.resolve("wrong.yaml"), text);
        EmulateOption option = option("--emulate", file.toString());
        assertThatThrownBy(option::orNone)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining(file + ":1: ")
                .hasMessageContaining(why);
    }

    @Test
    void shouldSayThatThereIsNoSuchFile() {
        EmulateOption option = option("--emulate", folder.resolve("missing").toString());
        assertThatThrownBy(option::orPaper).hasMessageContaining("--emulate").hasMessageContaining("missing");
    }
}
