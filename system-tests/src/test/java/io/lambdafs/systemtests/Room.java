package io.lambdafs.systemtests;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A module of the reactor: its folder, its package below the project's root package, and the rooms that it builds on. */
enum Room {
    MODEL("model", "model"),
    RPC("rpc", "rpc", MODEL),
    STORE("store", "store", MODEL),
    STORE_SERVER("store-server", "store.server", STORE, RPC),
    STORE_EMBEDDED("store-embedded", "store.embedded", STORE_SERVER),
    COORDINATOR("coordinator", "coordinator", MODEL, RPC, STORE),
    /** Its entries, and nothing else in it, also reach a store's server: {@link #STORE_SERVER}. */
    FUNCTIONS("functions", "functions", MODEL, RPC, STORE, COORDINATOR),
    CLIENT("client-lib/core", "client", MODEL, RPC),
    HADOOP("client-lib/hadoop", "hadoop", CLIENT),
    PLATFORM("platform", "platform", MODEL, RPC),
    DATANODE("datanode", "datanode", STORE_SERVER),
    LOCAL_CLUSTER("local-cluster", "cluster", STORE_EMBEDDED, FUNCTIONS, CLIENT, DATANODE, PLATFORM),
    HAMMER_BENCH("hammer-bench", "hammer", CLIENT, HADOOP),
    CLI("cli", "cli", LOCAL_CLUSTER, HAMMER_BENCH),
    TESTING("testing", "testing", CLI);

    /** Packages of the function entries, one per platform, below the project's root package. */
    static final String FUNCTION_ENTRIES = "functions.openwhisk";

    private static final Comparator<Room> LONGEST_PACKAGE_FIRST =
            Comparator.comparing((Room room) -> room.packageSuffix.length()).reversed();

    private final String folder;
    private final String packageSuffix;

    @SuppressWarnings("ImmutableEnumChecker") // never changed after construction
    private final List<Room> foundations;

    Room(String folder, String packageSuffix, Room... foundations) {
        this.folder = folder;
        this.packageSuffix = packageSuffix;
        this.foundations = List.of(foundations);
    }

    /** The folder of its sources, from the root of the checkout. */
    String folder() {
        return folder;
    }

    /** May code in {@code packageName} use code of {@code other}? Directly, or through what it builds on. */
    boolean mayUse(Room other, String root, String packageName) {
        return reaches(other) || (other == STORE_SERVER && isWithin(packageName, root + "." + FUNCTION_ENTRIES));
    }

    private boolean reaches(Room other) {
        return this == other || foundations.stream().anyMatch(foundation -> foundation.reaches(other));
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
