package io.lambdafs.hammer;

/** The operations of the Spotify workload with their shares of it, in percent (the paper's Table 2). */
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

    /** The name in reports and JSON. */
    public String label() {
        return label;
    }

    /** Whether it changes nothing. */
    public boolean isRead() {
        return this == READ || this == STAT || this == LS;
    }

    /** Share of all operations before normalising, percent. */
    public double percent() {
        return percent;
    }
}
