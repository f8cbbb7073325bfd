package io.lambdafs.store.ndb.row;

/** The maximum lengths of values in the columns of NDB's tables, in bytes. Uses no class of NDB's client. */
public final class MostBytes {
    /**
     * A part of a row's values. Four of them fit an NDB page, and with its length each fills whole words, which spares
     * a copy.
     */
    public static final int PART = 7_998;
    /** A string in a key; NDB takes 4,092 bytes for a key. */
    public static final int KEY = 2_998;
    /** A string in a key that another string follows. */
    public static final int FIRST_KEY = 998;
    /** The names of all tables created. */
    public static final int MADE = 7_998;
    /** A cluster's id. */
    public static final int CLUSTER = 998;

    private MostBytes() {}
}
