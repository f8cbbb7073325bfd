package io.lambdafs.hammer.tree;

/** The reason why an import left out an entry of the local tree. */
public enum SkipReason {
    SYMBOLIC_LINK("symbolic links"),
    SPECIAL_FILE("special files"),
    UNREADABLE("unreadable entries"),
    REFUSED_NAME("names that HDFS refuses");

    private final String label;

    SkipReason(String label) {
        this.label = label;
    }

    /** Returns the text for users, in the plural. */
    public String label() {
        return label;
    }
}
