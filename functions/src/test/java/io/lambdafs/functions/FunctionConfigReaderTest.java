package io.lambdafs.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.serving.ClientRanges;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.transports.TransportKind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FunctionConfigReaderTest {
    private static final String NEEDED = "\"store\":\"s:1\",\"zookeeper\":\"z:2\",\"deployments\":4";

    private static FunctionConfig parse(String text) {
        return FunctionConfigReader.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldDeriveTheTimesThatAreNotSetFromThoseThatAre() {
        FunctionConfig config =
                parse("{" + NEEDED + ",\"insecure\":true,\"times\":{\"ackWaitMillis\":20000,\"sessionMillis\":9000}}");
        assertThat(config.times())
                .isEqualTo(new Times(
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(9),
                        Duration.ofMillis(21_200),
                        Duration.ofMillis(23_200),
                        Duration.ofMillis(25_200),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(10)));
    }

    @Test
    void shouldReadEverything() {
        FunctionConfig config = parse("""
            {"fileSystem":"fs1","deployments":4,"superuser":"hdfs","store":"[::1]:4711","zookeeper":"a:1,b:2","zookeeperProof":false,
             "coordinator":"zookeeper","inv":"relayed","transport":"kryonet",
             "listenHost":"0.0.0.0","advertisedHost":"10.0.0.7","clientRanges":"10.0.0.0/8, fd00::/8","secretFile":"/etc/secret","insecure":false,
             "cpuShare":0.25,"cacheBytes":1000000,"smallFileLimitBytes":100,"maxInFlight":7,"eventLoops":5,
             "workers":3,"reclaimBatch":64,"reclaimParallel":2,"changeLogEntries":5000,"trashMinutes":90,"boostMillis":700,"logLevel":"DEBUG",
             "storeDistanceMicros":1500,"coordinationDistanceMicros":300,"times":{"ackWaitMillis":400,"leaseMillis":900}}\
            """);
        assertThat(config.fileSystem()).isEqualTo("fs1");
        assertThat(config.superuser()).isEqualTo("hdfs");
        assertThat(config.endpoints())
                .isEqualTo(new FunctionConfig.Endpoints(
                        "[::1]:4711",
                        "0.0.0.0",
                        "10.0.0.7",
                        false,
                        ClientRanges.parse("10.0.0.0/8,fd00::/8"),
                        Optional.empty()));
        assertThat(config.coordination())
                .isEqualTo(new FunctionConfig.Coordination(
                        FunctionConfig.Coordination.Keeper.ZOOKEEPER,
                        "a:1,b:2",
                        false,
                        FunctionConfig.Coordination.Inv.RELAYED,
                        TransportKind.KRYONET));
        assertThat(config.secretFile()).isEqualTo(Path.of("/etc/secret"));
        assertThat(config.limits())
                .isEqualTo(new FunctionConfig.Limits(0.25, 1_000_000, 100, 7, 5, 3, 64, 2, 5_000, 90, 700));
        assertThat(config.times().ackWait()).isEqualTo(Duration.ofMillis(400));
        assertThat(config.times().lease()).isEqualTo(Duration.ofMillis(900));
        assertThat(config.times().slotLife()).isEqualTo(Times.DEFAULT.slotLife());
        assertThat(config.logLevel()).isEqualTo("DEBUG");
        assertThat(config.distance())
                .isEqualTo(new FunctionConfig.Distance(Duration.ofNanos(1_500_000), Duration.ofNanos(300_000)));
        assertThat(config.withCpuShare(1).withAdvertisedHost("10.0.0.8").distance())
                .isEqualTo(config.distance());
    }

    @Test
    void shouldHaveAnEventLoopForEachVirtualCpu() {
        for (Map.Entry<String, Integer> expected :
                Map.of("0", 1, "0.15", 1, "1", 1, "1.5", 2, "1024", 256).entrySet()) {
            FunctionConfig config = parse("{" + NEEDED + ",\"insecure\":true,\"cpuShare\":" + expected.getKey() + "}");
            assertThat(config.limits().eventLoops())
                    .as("%s CPUs", expected.getKey())
                    .isEqualTo(expected.getValue());
        }
    }

    @Test
    void shouldHaveDefaults() {
        FunctionConfig config = parse("{" + NEEDED + ",\"insecure\":true}");
        assertThat(config.limits()).isEqualTo(FunctionConfig.Limits.DEFAULT);
        assertThat(config.times()).isEqualTo(Times.DEFAULT);
        assertThat(config.distance()).isEqualTo(FunctionConfig.Distance.NONE);
        assertThat(config.endpoints().listenHost()).isEqualTo("127.0.0.1");
        assertThat(config.endpoints().advertisedHost()).isEqualTo("127.0.0.1");
        assertThat(config.secretFile()).isNull();
        assertThat(config.coordination())
                .isEqualTo(new FunctionConfig.Coordination(
                        FunctionConfig.Coordination.Keeper.ZOOKEEPER,
                        "z:2",
                        true,
                        FunctionConfig.Coordination.Inv.DIRECT,
                        TransportKind.NETTY));
    }

    @Test
    void shouldNeedNoZooKeeperWhereTheStoreCoordinates() {
        FunctionConfig config =
                parse("{\"store\":\"s:1\",\"coordinator\":\"store\",\"deployments\":4,\"insecure\":true}");
        assertThat(config.coordination().keeper()).isEqualTo(FunctionConfig.Coordination.Keeper.STORE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|JSON object",
                "{|not JSON",
                "{} {}|follows",
                "{NEEDED}|secretFile",
                "{NEEDED,\"insecure\":true,\"tpyo\":1}|no key \"tpyo\"",
                "{NEEDED,\"insecure\":true,\"times\":{\"leese\":1}}|no key \"times.leese\"",
                "{NEEDED,\"insecure\":true,\"insecure\":true}|twice",
                "{NEEDED,\"insecure\":1}|true or false",
                "{NEEDED,\"insecure\":true,\"cacheBytes\":\"many\"}|cacheBytes",
                "{NEEDED,\"insecure\":true,\"cacheBytes\":-5}|cacheBytes",
                "{NEEDED,\"insecure\":true,\"cacheBytes\":65535}|cacheBytes",
                "{NEEDED,\"insecure\":true,\"cpuShare\":-1}|cpuShare",
                "{NEEDED,\"insecure\":true,\"storeDistanceMicros\":1000001}|storeDistanceMicros",
                "{NEEDED,\"insecure\":true,\"coordinationDistanceMicros\":1000001}|coordinationDistanceMicros",
                "{NEEDED,\"insecure\":true,\"logLevel\":\"LOUD\"}|logLevel",
                "{NEEDED,\"insecure\":true,\"fileSystem\":\"a/b\"}|fileSystem",
                "{NEEDED,\"insecure\":true,\"times\":{\"leaseMillis\":2900,\"lockWaitMillis\":3000}}|ack wait + lease"
                        + " + drift (3500 ms) must be less than lock wait (3000 ms): raise lock wait, or lower ack wait",
                "{\"store\":\"s\",\"zookeeper\":\"z\",\"deployments\":1,\"insecure\":true}|host:port[,host:port…]",
                "{\"store\":\"s:1\",\"deployments\":1,\"insecure\":true}|zookeeper",
                "{\"store\":\"s:1\",\"zookeeper\":\"z\",\"insecure\":true}|deployments",
                "{NEEDED,\"insecure\":true,\"coordinator\":\"etcd\"}|zookeeper, store",
                "{NEEDED,\"insecure\":true,\"inv\":\"pigeon\"}|direct, relayed",
                "{NEEDED,\"insecure\":true,\"transport\":\"pigeon\"}|netty, kryonet",
                "{NEEDED,\"insecure\":true,\"clientRanges\":\"all\"}|clientRanges",
                "{NEEDED,\"insecure\":null}|insecure",
                "{NEEDED,\"insecure\":true,\"workers\":99999999999}|workers"
            })
    void shouldRefuse(String text, String why) {
        assertThatThrownBy(() -> parse(text.replace("NEEDED", NEEDED)))
                .hasMessageContaining(why)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }

    @Test
    void shouldNameAMissingFile() {
        assertThatThrownBy(() -> FunctionConfigReader.read(Path.of("/nowhere/conf.json")))
                .hasMessageContaining("/nowhere/conf.json")
                .hasMessageContaining("LAMBDAFS_CONF");
    }
}
