package io.lambdafs.store.ndb;

/** The longest values that the columns of NDB's tables take, in bytes. Uses no class of NDB's client. */
final class MostBytes {
    /** Of a row's values, in one part. Four of them fit a page of NDB's, and with its length each fills whole words, which spares a copy. */
    static final int PART = 7_998;
    /** Of a string in a key; NDB takes 4,092 bytes for a key. */
    static final int KEY = 2_998;
    /** Of a string that another one follows. */
    static final int FIRST_KEY = 998;
    /** Of the names of all tables that were made. */
    static final int MADE = 7_998;
    /** Of a cluster's id. */
    static final int CLUSTER = 998;

    private MostBytes() {}
}
