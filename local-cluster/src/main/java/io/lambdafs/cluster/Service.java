package io.lambdafs.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A process of a cluster that is no instance. Immutable.
 *
 * @param number 1 and up where a cluster may have several of the kind; else 0
 */
public record Service(Kind kind, int number) {
    public static final Service ZOOKEEPER = new Service(Kind.ZOOKEEPER, 0);
    public static final Service STORE = new Service(Kind.STORE, 0);
    /** The database that the store is in, where it is the cluster's own. */
    public static final Service POSTGRES = new Service(Kind.POSTGRES, 0);
    /** The same in NDB. */
    public static final Service NDB = new Service(Kind.NDB, 0);

    public static final Service GATEWAY = new Service(Kind.GATEWAY, 0);

    private static final String SQL_STORE = "io.lambdafs.store.sql.server.SqlStoreMain";
    static final String NDB_STORE = "io.lambdafs.store.ndb.server.NdbStoreMain";

    /** Most store servers of a local cluster. */
    static final int MOST_STORES = 4;

    /** The server of a store that the metadata are moved to. */
    static final Service BESIDE = new Service(Kind.STORE, MOST_STORES + 1);

    /** Most datanodes of a local cluster. */
    static final int MOST_DATANODES = 16;

    /** What a process does, in the order in which they are shown. */
    public enum Kind {
        ZOOKEEPER("io.lambdafs.coordinator.zookeeper.ZooKeeperMain"),
        POSTGRES("io.lambdafs.store.sql.server.PostgresMain"),
        NDB("io.lambdafs.store.ndb.server.NdbMain"),
        STORE("io.lambdafs.store.embedded.server.StoreMain"),
        GATEWAY("io.lambdafs.platform.local.GatewayMain"),
        DATANODE("io.lambdafs.datanode.DatanodeMain");

        private final String mainClass;

        Kind(String mainClass) {
            this.mainClass = mainClass;
        }

        /** In messages and names of settings. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The n-th datanode, from 1 on. */
    static Service datanode(int number) {
        return new Service(Kind.DATANODE, number);
    }

    /** The n-th store server, from 1 on; all but one wait to take the place of the one that serves. */
    static Service store(int number) {
        return number == 1 ? STORE : new Service(Kind.STORE, number);
    }

    /** Every service that any cluster may have. */
    static List<Service> all() {
        List<Service> all = new ArrayList<>(List.of(ZOOKEEPER, POSTGRES, NDB));
        for (int number = 1; number <= MOST_STORES; number++) {
            all.add(store(number));
        }
        all.add(BESIDE);
        all.add(GATEWAY);
        for (int number = 1; number <= MOST_DATANODES; number++) {
            all.add(datanode(number));
        }
        return List.copyOf(all);
    }

    /** In file names and messages. */
    public String label() {
        return number == 0 ? kind.label() : kind.label() + "-" + number;
    }

    String mainClass(ClusterSettings settings) {
        if (kind != Kind.STORE) {
            return kind.mainClass;
        }
        return switch (settings.store().engine()) {
            case StoreSettings.POSTGRES -> SQL_STORE;
            case StoreSettings.NDB -> NDB_STORE;
            default -> kind.mainClass;
        };
    }

    /** Whether it is a database, which starts before its store and stops after it. */
    boolean isDatabase() {
        return kind == Kind.POSTGRES || kind == Kind.NDB;
    }

    /** Options of its JVM: heaps are small, so the serial collector's pauses are short and its threads few. */
    List<String> javaOptions(ClusterSettings settings) {
        return switch (kind) {
            case POSTGRES, NDB -> List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
            case ZOOKEEPER -> List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
            case STORE -> List.of("-Xmx" + settings.store().heapMb() + "m", "-XX:+UseSerialGC");
            case GATEWAY -> List.of("-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
            case DATANODE -> List.of("-Xmx" + settings.blocks().heapMb() + "m", "-XX:+UseSerialGC");
        };
    }
}
