package io.lambdafs.cluster.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A process of a cluster other than instances. Immutable.
 *
 * @param number from 1, if a cluster may have several of the kind; else 0
 */
public record Service(Kind kind, int number) {
    public static final Service ZOOKEEPER = new Service(Kind.ZOOKEEPER, 0);
    public static final Service STORE = new Service(Kind.STORE, 0);
    /** The cluster's own PostgreSQL. */
    public static final Service POSTGRES = new Service(Kind.POSTGRES, 0);
    /** The cluster's own NDB. */
    public static final Service NDB = new Service(Kind.NDB, 0);

    public static final Service GATEWAY = new Service(Kind.GATEWAY, 0);

    private static final String SQL_STORE = "io.lambdafs.store.sql.server.SqlStoreMain";
    public static final String NDB_STORE = "io.lambdafs.store.ndb.server.NdbStoreMain";

    /** Maximum store servers of a local cluster. */
    public static final int MOST_STORES = 12;

    /** The store server that metadata is migrated to. */
    public static final Service BESIDE = new Service(Kind.STORE, MOST_STORES + 1);

    /** Maximum datanodes of a local cluster. */
    public static final int MOST_DATANODES = 16;

    /** Maximum doors of a kind of a local cluster. */
    static final int MOST_DOORS = 4;

    /** The kinds of services, in display order. */
    public enum Kind {
        ZOOKEEPER("io.lambdafs.coordinator.zookeeper.ZooKeeperMain"),
        POSTGRES("io.lambdafs.store.sql.server.PostgresMain"),
        NDB("io.lambdafs.store.ndb.server.NdbMain"),
        STORE("io.lambdafs.store.embedded.server.StoreMain"),
        GATEWAY("io.lambdafs.cluster.LocalGatewayMain"),
        DATANODE("io.lambdafs.datanode.DatanodeMain"),
        HDFS("io.lambdafs.door.hdfs.HdfsDoorMain"),
        WEBHDFS("io.lambdafs.door.hdfs.web.WebHdfsDoorMain"),
        S3("io.lambdafs.door.s3.S3DoorMain");

        private final String mainClass;

        Kind(String mainClass) {
            this.mainClass = mainClass;
        }

        /** Returns the name in messages and settings. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the n-th datanode, from 1 on. */
    public static Service datanode(int number) {
        return new Service(Kind.DATANODE, number);
    }

    /** Returns the n-th store server, from 1 on; all but one stand by. */
    public static Service store(int number) {
        return number == 1 ? STORE : new Service(Kind.STORE, number);
    }

    /** Returns the n-th door of a kind, from 1 on. */
    static Service door(Kind kind, int number) {
        return new Service(kind, number == 1 ? 0 : number);
    }

    /** Returns every service that any cluster may have. */
    public static List<Service> all() {
        List<Service> all = new ArrayList<>(List.of(ZOOKEEPER, POSTGRES, NDB));
        for (int number = 1; number <= MOST_STORES; number++) {
            all.add(store(number));
        }
        all.add(BESIDE);
        all.add(GATEWAY);
        for (int number = 1; number <= MOST_DATANODES; number++) {
            all.add(datanode(number));
        }
        for (Kind kind : List.of(Kind.HDFS, Kind.WEBHDFS, Kind.S3)) {
            for (int number = 1; number <= MOST_DOORS; number++) {
                all.add(door(kind, number));
            }
        }
        return List.copyOf(all);
    }

    /** Returns the name in file names and messages. */
    public String label() {
        return number == 0 ? kind.label() : kind.label() + "-" + number;
    }

    public String mainClass(ClusterSettings settings) {
        if (kind != Kind.STORE) {
            return kind.mainClass;
        }
        return switch (settings.store().engine()) {
            case StoreSettings.POSTGRES -> SQL_STORE;
            case StoreSettings.NDB -> NDB_STORE;
            default -> kind.mainClass;
        };
    }

    /** Returns whether it is a database, which starts before its store and stops after it. */
    public boolean isDatabase() {
        return kind == Kind.POSTGRES || kind == Kind.NDB;
    }

    /** Returns whether it is a door, which is a client of the others. */
    public boolean isDoor() {
        return kind == Kind.HDFS || kind == Kind.WEBHDFS || kind == Kind.S3;
    }

    private static List<String> storeOptions(StoreSettings store) {
        List<String> options = new ArrayList<>(List.of("-Xmx" + store.heapMb() + "m", "-XX:+UseSerialGC"));
        if (store.compilers().equals("first")) {
            options.add("-XX:TieredStopAtLevel=1");
        }
        return options;
    }

    /** Returns its JVM options: heaps are small, so the serial collector has short pauses and few threads. */
    public List<String> javaOptions(ClusterSettings settings) {
        return switch (kind) {
            case POSTGRES, NDB -> List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
            case ZOOKEEPER -> List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
            case STORE -> storeOptions(settings.store());
            case GATEWAY -> List.of("-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
            case HDFS, WEBHDFS, S3 -> List.of("-Xmx512m", "-XX:+UseSerialGC");
            case DATANODE -> List.of("-Xmx" + settings.blocks().heapMb() + "m", "-XX:+UseSerialGC");
        };
    }
}
