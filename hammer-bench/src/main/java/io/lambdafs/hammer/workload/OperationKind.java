package io.lambdafs.hammer.workload;

/** The operations of the Spotify workload with their shares, in percent (the paper's Table 2). */
public enum OperationKind {
    CREATE("create", 2.7),
    MKDIRS("mkdirs", 0.02),
    DELETE("delete", 0.75),
    MV("mv", 1.3),
    READ("read", 69.22),
    STAT("stat", 17),
    LS("ls", 9.01);

    private final String label;
    private final double percent;

    OperationKind(String label, double percent) {
        this.label = label;
        this.percent = percent;
    }

    /** Returns the name used in reports and JSON. */
    public String label() {
        return label;
    }

    /** Returns whether the operation changes nothing. */
    public boolean isRead() {
        return this == READ || this == STAT || this == LS;
    }

    /** Returns the share of all operations before normalising, percent. */
    public double percent() {
        return percent;
    }
}
