package io.lambdafs.store.database;

import io.lambdafs.model.FsException;

/** The connection to the database is lost; the outcome of a group being written is unknown. */
public final class DatabaseLostException extends Exception {
    private static final long serialVersionUID = 1L;

    private final FsException reason;

    /** @param reason the error to report if no one retries */
    public DatabaseLostException(FsException reason) {
        super(reason.getMessage(), reason);
        this.reason = reason;
    }

    public FsException reason() {
        return reason;
    }
}
