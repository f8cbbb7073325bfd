package io.lambdafs.systemtests;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/** A module that ships code: its folder, and its package below the project's root package. What it builds on, its POM says ({@link Reactor}). */
enum Room {
    MODEL("model", "model"),
    RPC("rpc", "rpc"),
    STORE("store", "store"),
    STORE_SERVER("store-server", "store.server"),
    STORE_EMBEDDED("store-embedded", "store.embedded"),
    STORE_SQL("store-sql", "store.sql"),
    STORE_NDB("store-ndb", "store.ndb"),
    COORDINATOR("coordinator", "coordinator"),
    FUNCTIONS("functions", "functions"),
    LAMBDA_FUNCTION("functions/lambda", "lambda"),
    CLIENT("client-lib/core", "client"),
    HADOOP("client-lib/hadoop", "hadoop"),
    CLIENT_LAMBDA("client-lib/lambda", "client.lambda"),
    PLATFORM("platform", "platform"),
    PLATFORM_KUBERNETES("platform/kubernetes", "platform.kubernetes"),
    DATANODE("datanode", "datanode"),
    DATANODE_CLOUD("datanode/cloud", "datanode.cloud"),
    DOOR_HDFS("doors/hdfs", "door.hdfs"),
    DOOR_MOUNT("doors/mount", "door.mount"),
    DOOR_S3("doors/s3", "door.s3"),
    LOCAL_CLUSTER("local-cluster", "cluster"),
    DEPLOY("deploy", "deploy"),
    DEPLOY_AWS("deploy/aws", "deploy.aws"),
    SIMULATION("simulation", "simulation"),
    HAMMER_BENCH("hammer-bench", "hammer"),
    BENCHMARKS("benchmarks", "benchmarks"),
    CLI("cli", "cli"),
    TESTING("testing", "testing");

    /** The package of the function entries, below the project's root package. */
    static final String FUNCTION_ENTRIES = "functions.instance";

    private static final Comparator<Room> LONGEST_PACKAGE_FIRST =
            Comparator.comparing((Room room) -> room.packageSuffix.length()).reversed();

    private final String folder;
    private final String packageSuffix;

    Room(String folder, String packageSuffix) {
        this.folder = folder;
        this.packageSuffix = packageSuffix;
    }

    /** The folder of its sources, from the root of the checkout. */
    String folder() {
        return folder;
    }

    /**
     * Returns whether code in {@code packageName} may use code of {@code other}. Of {@link #FUNCTIONS} only the entries may reach a store's
     * server: all else knows the store by its SPI.
     */
    boolean mayUse(Room other, String root, String packageName) {
        if (this == FUNCTIONS && other == STORE_SERVER) {
            return isWithin(packageName, root + "." + FUNCTION_ENTRIES);
        }
        return this == other || Reactor.reaches(folder).contains(other.folder);
    }

    /** The room that a package below {@code root} belongs to. */
    static Optional<Room> of(String root, String packageName) {
        return Arrays.stream(values())
                .sorted(LONGEST_PACKAGE_FIRST)
                .filter(room -> isWithin(packageName, root + "." + room.packageSuffix))
                .findFirst();
    }

    static boolean isWithin(String packageName, String parent) {
        return packageName.equals(parent) || packageName.startsWith(parent + ".");
    }
}
