package io.lambdafs.benchmarks.peers;

/** Determines whether an acknowledged write of a file system survives a power failure. */
public enum Durability {
    LOG("its log is forced to the disk before a write is answered"),
    FILES("objects are files of this disk, which nothing forces to it"),
    UNKNOWN("not known to this bench");

    private final String text;

    Durability(String text) {
        this.text = text;
    }

    /** Returns the durability of a target as this bench starts it, by its name in results. */
    public static Durability of(String target) {
        return switch (target) {
            case Targets.LAMBDAFS, Targets.DOOR, Targets.HDFS, Targets.HDFS_TUNED, IndexServers.NAME -> LOG;
            case Targets.S3A -> FILES;
            default -> UNKNOWN;
        };
    }

    /** Returns the text for people and results. */
    public String text() {
        return text;
    }
}
