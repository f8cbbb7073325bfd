package io.lambdafs.hammer;

/** Why an import left an entry of the local tree out. */
public enum SkipReason {
    SYMBOLIC_LINK("symbolic links"),
    SPECIAL_FILE("special files"),
    UNREADABLE("unreadable entries"),
    REFUSED_NAME("names that HDFS refuses");

    private final String label;

    SkipReason(String label) {
        this.label = label;
    }

    /** What users read, in the plural. */
    public String label() {
        return label;
    }
}
