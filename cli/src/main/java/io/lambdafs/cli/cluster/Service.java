package io.lambdafs.cli.cluster;

import java.util.List;
import java.util.Locale;

/** The processes of a cluster, instances aside, in the order in which they are shown. */
public enum Service {
    ZOOKEEPER("io.lambdafs.coordinator.zookeeper.ZooKeeperMain"),
    STORE("io.lambdafs.store.embedded.server.StoreMain"),
    GATEWAY("io.lambdafs.platform.local.GatewayMain");

    private final String mainClass;

    Service(String mainClass) {
        this.mainClass = mainClass;
    }

    /** In file names and messages. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String mainClass() {
        return mainClass;
    }

    /** Options of its JVM: heaps are small, so the serial collector's pauses are short and its threads few. */
    List<String> javaOptions(ClusterSettings settings) {
        return switch (this) {
            case ZOOKEEPER -> List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
            case STORE -> List.of("-Xmx" + settings.store().heapMb() + "m", "-XX:+UseSerialGC");
            case GATEWAY -> List.of("-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        };
    }
}
