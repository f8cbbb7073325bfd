package io.lambdafs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.datanode.server.ServerLimits;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.tls.TlsFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of a datanode's file, their limits and their defaults. */
class DatanodeConfigTest {
    @TempDir
    Path folder;

    private final Map<String, Object> keys = new TreeMap<>(Map.of(
            "id", "datanode-1", "store", "127.0.0.1:7000", "blockStore", "local", "blocks", "/b", "insecure", true));

    private DatanodeConfig load(Map<String, String> environment) throws IOException {
        Path file = folder.resolve("datanode.json");
        Files.writeString(file, new ObjectMapper().writeValueAsString(keys));
        return DatanodeConfig.load(file, environment);
    }

    private DatanodeConfig with(String key, Object value) throws IOException {
        Object before = keys.put(key, value);
        try {
            return load(Map.of());
        } finally {
            keys.remove(key);
            if (before != null) {
                keys.put(key, before);
            }
        }
    }

    private void assertRefused(String why, String key, Object value) {
        assertThatThrownBy(() -> with(key, value))
                .as("%s %s", key, value)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(folder.resolve("datanode.json") + ": ")
                .hasMessageContaining(why);
    }

    private void assertTaken(String key, Object value) {
        assertThatCode(() -> with(key, value)).as("%s %s", key, value).doesNotThrowAnyException();
    }

    @Test
    void shouldTakeDefaultsForWhatIsNotSaid() throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(Hosts.loopback(), 0);

        assertThat(load(Map.of()))
                .isEqualTo(new DatanodeConfig(
                        "datanode-1",
                        List.of(new InetSocketAddress(Hosts.loopback(), 7000)),
                        "local",
                        "/b",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        anyPort,
                        Hosts.loopback(),
                        Optional.empty(),
                        anyPort,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        32,
                        ServerLimits.of(Runtime.getRuntime().maxMemory()),
                        Duration.ofHours(6)));
    }

    @Test
    void shouldTakeWhatIsSaid() throws IOException {
        keys.remove("insecure");
        keys.putAll(Map.of("store", "127.0.0.1:7000,127.0.0.2:7001", "blocks", "s3://bucket/blocks"));
        keys.putAll(Map.of("endpoint", "http://s3", "encryption", "AES256", "cacheDirectory", "/c", "cacheBytes", 9));
        keys.putAll(Map.of("listenAddress", "127.0.0.3", "port", 9000, "portFile", "/p", "advertisedHost", "me"));
        keys.putAll(Map.of("metricsAddress", "127.0.0.4", "metricsPort", 9001, "metricsPortFile", "/mp"));
        keys.putAll(Map.of("secretFile", "/s", "tlsCa", "/ca", "tlsCertificate", "/cert", "tlsKey", "/key"));
        long buffer = 2L * WriteChunk.MAX_BYTES;
        keys.putAll(Map.of("threads", 3, "bufferBytes", buffer, "idleMillis", 1_234, "reportMinutes", 7));

        assertThat(load(Map.of()))
                .isEqualTo(new DatanodeConfig(
                        "datanode-1",
                        List.of(
                                new InetSocketAddress(Hosts.loopback(), 7000),
                                new InetSocketAddress("127.0.0.2", 7001)),
                        "local",
                        "s3://bucket/blocks",
                        Optional.of("http://s3"),
                        Optional.of("AES256"),
                        Optional.of(Path.of("/c")),
                        9,
                        new InetSocketAddress("127.0.0.3", 9000),
                        "me",
                        Optional.of(Path.of("/p")),
                        new InetSocketAddress("127.0.0.4", 9001),
                        Optional.of(Path.of("/mp")),
                        Optional.of(Path.of("/s")),
                        TlsFiles.ofService("/ca", "/cert", "/key"),
                        3,
                        new ServerLimits(ServerLimits.DEFAULT.windowBytes(), buffer, Duration.ofMillis(1_234)),
                        Duration.ofMinutes(7)));
    }

    @Test
    void shouldBeToldByItsPlatformWhoAndWhereItIsUnlessTheFileSaysSo() throws IOException {
        Map<String, String> platform =
                Map.of("LAMBDAFS_DATANODE_ID", "datanode-7", "LAMBDAFS_ADVERTISED_HOST", "10.0.0.7");
        keys.put("advertisedHost", "10.0.0.1");
        assertThat(load(platform))
                .extracting(DatanodeConfig::id, DatanodeConfig::advertisedHost)
                .containsExactly("datanode-1", "10.0.0.1");

        keys.keySet().removeAll(List.of("id", "advertisedHost"));
        assertThat(load(platform))
                .extracting(DatanodeConfig::id, DatanodeConfig::advertisedHost)
                .containsExactly("datanode-7", "10.0.0.7");
    }

    @Test
    void shouldNameWhatIsMissing() {
        for (String each : List.of("id", "store", "blockStore", "blocks")) {
            assertRefused(each + " is missing", each, "");
            Object value = keys.remove(each);
            assertThatThrownBy(() -> load(Map.of())).hasMessageContaining(each + " is missing");
            keys.put(each, value);
        }
        assertRefused("cacheDirectory is missing", "blocks", "s3://bucket");
        assertRefused("advertisedHost is missing", "listenAddress", "0.0.0.0");
        keys.put("advertisedHost", "me");
        assertTaken("listenAddress", "0.0.0.0");
    }

    @Test
    void shouldNeedEitherASecretOrToBeToldThatThereIsNone() {
        String why = "exactly one of secretFile and insecure: true";
        assertRefused(why, "secretFile", "/s");
        assertRefused(why, "insecure", false);
        keys.remove("insecure");
        assertThatThrownBy(() -> load(Map.of())).hasMessageContaining(why);
        assertTaken("secretFile", "/s");
        keys.put("secretFile", "/s");
        assertTaken("insecure", false);
    }

    @Test
    void shouldTakeValuesUpToTheirLimitsAndNoFurther() {
        assertTaken("threads", 1);
        assertTaken("threads", 1_024);
        assertRefused("threads must be 1..1024, not 0", "threads", 0);
        assertRefused("threads must be 1..1024, not 1025", "threads", 1_025);
        assertTaken("cacheBytes", 0);
        assertRefused("cacheBytes must be 0 or more, not -1", "cacheBytes", -1);
        assertTaken("reportMinutes", 0);
        assertRefused("reportMinutes must be 0 or more, not -1", "reportMinutes", -1);
        assertTaken("blockStore", "b".repeat(BlockTokens.MAX_STORE_CHARS));
        assertRefused("blockStore may have", "blockStore", "b".repeat(BlockTokens.MAX_STORE_CHARS + 1));
        assertTaken("id", "d".repeat(64));
        assertRefused("id must be 1..64", "id", "d".repeat(65));
        assertRefused("id must be 1..64", "id", "-d");
        assertRefused("store must be host:port", "store", "127.0.0.1");
        assertRefused("blocks must be a directory", "blocks", "ftp://host");
        assertRefused("a window takes", "bufferBytes", 1);
        assertRefused("tlsCa, tlsCertificate and tlsKey", "tlsCa", "/ca");
    }

    @Test
    void shouldRefuseAFileThatIsNoneOfItsKind() throws IOException {
        Path file = Files.writeString(folder.resolve("datanode.json"), "{} {}");

        assertThatThrownBy(() -> DatanodeConfig.load(file, Map.of())).hasMessageStartingWith(file + ": ");
        assertThatThrownBy(() -> DatanodeConfig.load(folder.resolve("none"), Map.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertRefused("threadz", "threadz", 1);
    }
}
