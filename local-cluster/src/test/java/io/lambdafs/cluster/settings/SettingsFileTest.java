package io.lambdafs.cluster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.options.BlockOptions;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SettingsFileTest {
    private static final ClusterSettings DEFAULTS = ClusterSettings.defaults("me", new Machine(2, 8_192));

    @TempDir
    private Path folder;

    private Path write(String text) throws Exception {
        return Files.writeString(folder.resolve("my.json"), text);
    }

    private static ClusterSettings read(Path file) {
        return SettingsFile.over(DEFAULTS).with(file).settings();
    }

    private AbstractThrowableAssert<?, ?> refusal(Path file) {
        return assertThatThrownBy(() -> read(file))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageStartingWith(file.toString());
    }

    @Test
    void shouldPutWhatAFileSaysOverTheDefaultsAndOptionsOverTheFile() throws Exception {
        Path file = write("{\"deployments\": 7, \"pool\": {\"maxInstances\": 3}, \"instance\": {\"cpuShare\": 1}}");
        ClusterSettings settings = SettingsFile.over(DEFAULTS)
                .with(file)
                .with(Json.object().put("deployments", 9), "options")
                .settings();
        assertThat(settings.deployments()).isEqualTo(9);
        assertThat(settings.pool().maxInstances()).isEqualTo(3);
        assertThat(settings.pool().prewarm()).isEqualTo(DEFAULTS.pool().prewarm());
        assertThat(settings.instance().cpuShare()).isEqualTo(1.0);
        assertThat(read(write("{}"))).isEqualTo(DEFAULTS);
    }

    @Test
    void shouldListenForOtherMachinesWithTlsOnlyUnlessToldOtherwise() throws Exception {
        refusal(write("{\"listen\": \"0.0.0.0\"}")).hasMessageContaining("--tls");

        assertThat(read(write("{\"listen\": \"0.0.0.0\", \"tls\": {\"enabled\": true}}"))
                        .listen())
                .isEqualTo("0.0.0.0");
        assertThat(read(write("{\"listen\": \"10.0.0.7\", \"tls\": {\"plainBeyondLoopback\": true}}"))
                        .listen())
                .isEqualTo("10.0.0.7");
        for (String own : new String[] {"localhost", "127.0.0.2", "::1", "[::1]"}) {
            assertThat(read(write("{\"listen\": \"" + own + "\"}")).listen()).isEqualTo(own);
        }
        refusal(write("{\"listen\": \"[fd00::7]\"}")).hasMessageContaining("--tls");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"10.0.0.7:2181", "zk1:2181", "127.0.0.1:2181,zk2:2181", "[fd00::7]:2181", "localhost.example:1"})
    void shouldSendNoPasswordInClearToAZooKeeperOfOtherMachinesUnlessTold(String ensemble) throws Exception {
        String tls = "{\"zookeeper\": \"" + ensemble + "\", \"tls\": {\"%s\": true}}";
        refusal(write(tls.formatted("enabled")))
                .hasMessageContaining("in clear")
                .hasMessageContaining(", not " + ensemble);
        assertThat(read(write(tls.formatted("plainBeyondLoopback"))).zookeeper())
                .isEqualTo(ensemble);
    }

    @Test
    void shouldTakeAZooKeeperOfThisMachineAsItIs() throws Exception {
        String ensemble = "127.0.0.1:2181,localhost:2182,[::1]:2183";
        assertThat(read(write("{\"zookeeper\": \"" + ensemble + "\"}")).zookeeper())
                .isEqualTo(ensemble);
    }

    @Test
    void shouldRefuseKryoNetWithTls() throws Exception {
        refusal(write("{\"transport\": \"kryonet\", \"tls\": {\"enabled\": true}}"))
                .hasMessageContaining("KryoNet has no TLS");
    }

    @Test
    void shouldRefuseACertificateWithoutItsKey() throws Exception {
        refusal(write("{\"tls\": {\"enabled\": true, \"certificate\": \"/c.pem\"}}"))
                .hasMessageContaining("tls.certificate");
    }

    @Test
    void shouldReadWhatItWrote() throws Exception {
        Path file = folder.resolve("cluster.json");
        Json.write(Json.MAPPER.valueToTree(DEFAULTS), file);
        assertThat(SettingsFile.over(ClusterSettings.defaults("other", new Machine(64, 1 << 20)))
                        .with(file)
                        .settings())
                .isEqualTo(DEFAULTS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{#\"deployment\": 3}                     | 2 | no setting \"deployment\"; did you mean \"deployments\"?",
                "{\"pool\": {#\"prewarm\": 1,#\"maxInstanses\": 3}} | 3 | no setting \"pool.maxInstanses\"; did you mean \"pool.maxInstances\"?",
                "{#\"deployments\": \"4\"}                | 2 | \"deployments\" must be a whole number, not \"4\"",
                "{\"deployments\": 4.5}                   | 1 | \"deployments\" must be a whole number, not 4.5",
                "{\"insecure\": 1}                        | 1 | \"insecure\" must be true or false, not 1",
                "{##\"ports\": null}                      | 3 | \"ports\" must be an object, not null",
                "{\"store\": {#\"ndbAck\": \"disk\"}}     | 2 | \"store.ndbAck\" must be replicated or checkpoint, not disk",
                "{\"store\": {#\"ndbDiskMb\": 3}}        | 2 | \"store.ndbDiskMb\" must be 0, or at least 16, not 3",
                "{\"store\": {#\"compilers\": \"c2\"}}   | 2 | \"store.compilers\" must be both or first, not c2",
                "{\"store\": {#\"fsync\": \"no\"}}        | 2 | \"store.fsync\" must be true or false",
                "{#\"deployments\": 0}                    | 2 | \"deployments\" must be 1..1024, not 0",
                "{\"pool\":#{\"maxInstances\": 0}}        | 2 | \"pool.maxInstances\" must be 1..1000, not 0",
                "{\"ports\": {\"gateway\": 65536}}        | 1 | \"ports.gateway\" must be 0..65535, not 65536",
                "{\"ports\": {#\"store\": -1}}            | 2 | \"ports.store\" must be 0..65523, not -1",
                "{\"instance\": {\"memoryMb\": 1}}        | 1 | \"instance.memoryMb\" must be at least 96, not 1",
                "{\"instance\": {\"cacheBytes\": 1}}      | 1 | \"instance.cacheBytes\" must be 0 or at least 65536",
                "{\"pool\": {\"memoryMb\": 100}}          | 1 | \"pool.memoryMb\" must be at least instance.memoryMb, 256, not 100",
                "{\"pool\": {#\"memoryMb\": 3000000000}}  | 2 | \"pool.memoryMb\" makes no sense",
                "{\"times\": {\"leaseMillis\": 5001}}     | 1 | \"times.leaseMillis\" must be 301..5000, not 5001",
                "{\"times\": {\"ackWaitMillis\": 0}}      | 1 | \"times.ackWaitMillis\" must be 1..20000, not 0",
                "{\"distance\": {#\"tcpMicros\": -1}}     | 2 | \"distance.tcpMicros\" must be 0..1000000, not -1",
                "{\"distance\": {\"storeMicros\": 1000001}} | 1 | \"distance.storeMicros\" must be 0..1000000",
                "{\"transport\":#\"kryonet\", \"distance\": {\"httpMicros\": 1}} | 1 | \"transport\" must be netty where a distance is emulated, not kryonet",
                "{#\"transport\": \"pigeon\"}              | 2 | \"transport\" must be netty or kryonet, not pigeon",
                "{#\"logLevel\": \"LOUD\"}                | 2 | \"logLevel\" must be TRACE, DEBUG",
                "{#\"fileSystem\": \"a/b\"}               | 2 | \"fileSystem\" must be 1..64 of",
                "{#\"superuser\": \" \"}                  | 2 | \"superuser\" must be a user's name",
                "{\"blocks\": {\"stores\": {#\"Cold\": \"/c\"}}} | 2 | \"blocks.stores.Cold\" must be named with up to 32 of a-z",
                "{\"blocks\": {\"stores\": {#\"cold\": 3}}}   | 2 | \"blocks.stores.cold\" must be text, not 3",
                "{\"blocks\": {\"stores\": {#\"cold\": \"s3://B\"}}} | 2 | \"blocks.stores.cold\" must be a directory, s3://BUCKET",
                "{#\"deployments\": 4,#\"deployments\": 5}| 3 | it is not JSON: Duplicate",
                "{#\"deployments\": 4,#}                  | 3 | it is not JSON",
                "{}#surplus                               | 2 | it is not JSON"
            })
    void shouldSayFileLineAndWhatIsWrong(String text, int line, String why) throws Exception {
        Path file = write(text.strip().replace('#', '\n'));
        refusal(file).hasMessageStartingWith(file + ":" + line + ": ").hasMessageContaining(why.strip());
    }

    @Test
    void shouldSayThatAFileIsMissingADirectoryNoTextOrNoObject() throws Exception {
        refusal(folder.resolve("none.json")).hasMessageContaining("there is no such file");
        refusal(folder).hasMessageContaining("it cannot be read");
        refusal(write("[4]")).hasMessageContaining("it is not a JSON object");
        refusal(write("")).hasMessageContaining("it is not a JSON object");
        refusal(Files.write(folder.resolve("my.json"), new byte[] {'{', (byte) 0xff, '}'}))
                .hasMessageContaining("not text in UTF-8");
        refusal(write(" ".repeat((1 << 20) + 1))).hasMessageContaining("longer than 1048576 bytes");
    }

    @Test
    void shouldNameOptionsWhereTheyAreWrong() {
        assertThatThrownBy(() -> SettingsFile.over(DEFAULTS)
                        .with(Json.object().put("deployments", 4_000), "options")
                        .settings())
                .hasMessage("options: the setting \"deployments\" must be 1..1024, not 4000");
    }

    @Test
    void shouldAddBlockStoresToThoseThatThereAre() throws Exception {
        Path file = write("{\"blocks\": {\"datanodes\": 2, \"stores\": {\"cold\": \"/cold\"}}}");
        BlockOptions options = new BlockOptions();
        new CommandLine(options)
                .parseArgs("--blocks", "archive=s3://bucket/a", "--blocks", "/hot", "--blocks", "Ice=/i=e");
        ObjectNode keys = Json.object();
        options.addTo(keys);

        BlockSettings blocks = SettingsFile.over(DEFAULTS)
                .with(file)
                .with(keys, "options")
                .settings()
                .blocks();

        assertThat(blocks.places())
                .containsExactly(
                        new BlockPlace("local", "/hot"),
                        new BlockPlace("policy:cold", "/cold"),
                        new BlockPlace("policy:archive", "s3://bucket/a"),
                        new BlockPlace("policy:ice", "/i=e"));
        assertThat(blocks.served(Service.datanode(2)).place()).isEqualTo("/hot");
        assertThat(blocks.served(Service.datanode(3)).place()).isEqualTo("/cold");
        assertThat(blocks.served(Service.datanode(8)).place()).isEqualTo("/i=e");
        blocks.checkApart(new ClusterDirectory(folder));
    }

    @Test
    void shouldLetClientsAccessObjectStoresAndNoDirectories() throws Exception {
        BlockOptions options = new BlockOptions();
        new CommandLine(options)
                .parseArgs(
                        "--blocks",
                        "s3://bucket/a",
                        "--blocks",
                        "cold=az://container",
                        "--blocks",
                        "ice=gs://bucket",
                        "--blocks-direct");
        ObjectNode keys = Json.object();
        options.addTo(keys);

        BlockSettings blocks =
                SettingsFile.over(DEFAULTS).with(keys, "options").settings().blocks();

        assertThat(blocks.direct()).isTrue();
        assertThat(blocks.datanodes()).isZero();
        assertThat(blocks.placesByName())
                .containsOnly(
                        Map.entry("s3://bucket/a", "s3://bucket/a"),
                        Map.entry("policy:cold", "az://container"),
                        Map.entry("policy:ice", "gs://bucket"));
        for (String other : new String[] {
            "\"place\": \"/x\"", "\"place\": \"gs://bucket\", \"stores\": {\"a\": \"/x\"}", "\"datanodes\": 1"
        }) {
            refusal(write("{\"blocks\": {\"direct\": true, " + other + "}}"))
                    .hasMessageContaining(
                            "\"blocks.direct\" must be false unless all blocks are at s3://, az:// or gs:// places");
        }
    }

    @Test
    void shouldRefuseABlockStoreWithinAnother() throws Exception {
        ClusterDirectory directory = new ClusterDirectory(folder);
        for (String inside : new String[] {
            "{\"stores\": {\"a\": \"/x/y\", \"b\": \"/x\"}}",
            "{\"place\": \"/x\", \"stores\": {\"a\": \"/x\"}}",
            "{\"stores\": {\"a\": \"" + directory.data("blocks").resolve("a") + "\"}}"
        }) {
            BlockSettings blocks = read(write("{\"blocks\": " + inside + "}")).blocks();
            assertThatThrownBy(() -> blocks.checkApart(directory)).hasMessageContaining("outside one another");
        }
    }

    @Test
    void shouldFitAClusterIntoHalfOfTheMachine() {
        ClusterSettings small = ClusterSettings.defaults("me", new Machine(1, 2_048));
        assertThat(small.pool().memoryMb()).isEqualTo(8 * 256);
        assertThat(DEFAULTS.pool().memoryMb()).isEqualTo(16 * 256);
        assertThat(ClusterSettings.defaults("me", new Machine(64, 1 << 20))
                        .pool()
                        .memoryMb())
                .isEqualTo(17 * 256);
        assertThat(DEFAULTS.listen()).isEqualTo("127.0.0.1");
        assertThat(DEFAULTS.insecure()).isFalse();
        assertThat(DEFAULTS.store().fsync()).isTrue();
    }
}
