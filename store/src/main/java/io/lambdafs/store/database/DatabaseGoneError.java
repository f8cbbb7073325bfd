package io.lambdafs.store.database;

/** This process has lost its database for good. Ends the commit thread, and with it this process. */
public final class DatabaseGoneError extends Error {
    private static final long serialVersionUID = 1L;

    public DatabaseGoneError(String why) {
        super(why + ": this process ends");
    }

    /** PROTOCOL: D2. */
    public static DatabaseGoneError superseded() {
        return new DatabaseGoneError("another process has taken the database");
    }
}
