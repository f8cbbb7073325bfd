package io.lambdafs.benchmarks.micro;

/** What a power failure leaves of a write that a file system has answered. */
public enum Durability {
    LOG("its log is forced to the disk before a write is answered"),
    FILES("objects are files of this disk, which nothing forces to it"),
    RAM("in RAM only"),
    UNKNOWN("not known to this bench");

    private final String text;

    Durability(String text) {
        this.text = text;
    }

    /** Of a target by its name in results, as this bench starts it. */
    public static Durability of(String target) {
        return switch (target) {
            case Targets.LAMBDAFS, Targets.HDFS, Targets.HDFS_TUNED, IndexServers.NAME -> LOG;
            case Targets.S3A -> FILES;
            case Targets.CEPHFS -> RAM;
            default -> UNKNOWN;
        };
    }

    /** For people and results. */
    public String text() {
        return text;
    }

    /** A target's name in a row of figures: with the durability, where that is none. */
    public static String named(String target) {
        return of(target) == RAM ? target + " (RAM)" : target;
    }
}
