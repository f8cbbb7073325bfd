package io.lambdafs.store.database;

import io.lambdafs.model.FsException;

/** A connection to the database is lost, and with it what is known of a group under way. */
public final class DatabaseLostException extends Exception {
    private static final long serialVersionUID = 1L;

    private final FsException reason;

    /** @param reason what is told where nobody tries again */
    public DatabaseLostException(FsException reason) {
        super(reason.getMessage(), reason);
        this.reason = reason;
    }

    public FsException reason() {
        return reason;
    }
}
