package io.lambdafs.platform.local.pool;

/** The pool refuses an invocation. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    public RefusedException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /** Returns the HTTP status for the caller. */
    public int status() {
        return status;
    }
}
