package io.lambdafs.cluster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The services that a cluster has by its settings. */
class ServicesOfSettingsTest {
    private static ClusterSettings with(Map<String, Object> keys) {
        return SettingsFile.over(ClusterSettings.defaults("me", new Machine(2, 8_192)))
                .with(Json.MAPPER.valueToTree(keys), "test")
                .settings();
    }

    private static List<String> labels(Map<String, Object> keys) {
        return with(keys).services().stream().map(Service::label).toList();
    }

    @Test
    void shouldHaveTheServicesThatAreWantedAlone() {
        assertThat(labels(Map.of())).containsExactly("zookeeper", "store", "gateway", "datanode-1");
        assertThat(labels(Map.of("coordinator", "store", "blocks", Map.of("datanodes", 0))))
                .containsExactly("store", "gateway");
        assertThat(labels(Map.of("store", Map.of("engine", "postgres", "servers", 2))))
                .containsExactly("zookeeper", "postgres", "store", "store-2", "gateway", "datanode-1");
        assertThat(labels(Map.of("store", Map.of("engine", "ndb"), "doors", Map.of("open", "webhdfs"))))
                .containsExactly("zookeeper", "ndb", "store", "gateway", "datanode-1", "webhdfs");
    }

    @ParameterizedTest
    @CsvSource({"HDFS, 2, true", "HDFS, 3, false", "WEBHDFS, 1, false", "HDFS, 1, true"})
    void shouldHaveTheCopiesOfAnOpenDoor(Service.Kind kind, int number, boolean has) {
        DoorSettings doors = new DoorSettings("hdfs", 2, "simple", "/");
        assertThat(doors.has(Service.door(kind, number))).isEqualTo(has);
    }

    @Test
    void shouldRefuseDoorsThatThereAreNot() {
        assertThatThrownBy(() -> new DoorSettings("ftp", 1, "simple", "/"))
                .hasMessageContaining("\"doors.open\" must be");
        assertThatThrownBy(() -> new DoorSettings("hdfs,hdfs", 1, "simple", "/"))
                .hasMessageContaining("\"doors.open\" must be");
        assertThatThrownBy(() -> new DoorSettings("hdfs", 5, "simple", "/")).hasMessageContaining("1..4, not 5");
        assertThatThrownBy(() -> new DoorSettings("hdfs", 0, "simple", "/")).hasMessageContaining("1..4, not 0");
        assertThatThrownBy(() -> new DoorSettings("hdfs", 1, "kerberos", "/"))
                .hasMessageContaining("\"doors.authentication\" must be");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535})
    void shouldTakePortsOfTcp(int port) {
        assertThat(SettingsCheck.isPort(port)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    void shouldTakeNoOtherPorts(int port) {
        assertThat(SettingsCheck.isPort(port)).isFalse();
    }

    @Test
    void shouldKnowItsEngine() {
        StoreSettings embedded = with(Map.of()).store();
        assertThat(embedded.isPostgres()).isFalse();
        assertThat(embedded.isNdb()).isFalse();
        assertThat(embedded.hasOwnPostgres()).isFalse();
        StoreSettings postgres =
                with(Map.of("store", Map.of("engine", "postgres"))).store();
        assertThat(postgres.isPostgres()).isTrue();
        assertThat(postgres.hasOwnPostgres()).isTrue();
        assertThat(postgres.isNdb()).isFalse();
    }

    @Test
    void shouldRestoreInstancesFromImagesWhereTheyAreSetAndRunAsActions() {
        assertThat(with(Map.of("instance", Map.of("snapshots", true))).restoresInstances())
                .isTrue();
        assertThat(with(Map.of("instance", Map.of("snapshots", false))).restoresInstances())
                .isFalse();
        ClusterSettings lambda = with(Map.of(
                "coordinator",
                "store",
                "inv",
                "relayed",
                "instance",
                Map.of("snapshots", true, "concurrency", 1, "runtime", "lambda")));
        assertThat(lambda.restoresInstances()).isFalse();
    }
}
