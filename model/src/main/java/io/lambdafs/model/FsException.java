package io.lambdafs.model;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * A typed failure. The message says what failed, why, and what to do; no stack trace is recorded, because these are
 * replies, not program faults (which keep their cause).
 */
public final class FsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public FsException(ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public FsException(ErrorCode code, String message, Throwable cause) {
        super(message, cause, false, false);
        this.code = code;
    }

    /** Returns an {@link ErrorCode#INVALID_ARGUMENT}. */
    public static FsException invalidArgument(String message) {
        return new FsException(ErrorCode.INVALID_ARGUMENT, message);
    }

    /** Returns an {@link ErrorCode#INVALID_ARGUMENT} with its cause. */
    public static FsException invalidArgument(String message, Throwable cause) {
        return new FsException(ErrorCode.INVALID_ARGUMENT, message, cause);
    }

    /** Returns an {@link ErrorCode#UNAVAILABLE}. */
    public static FsException unavailable(String message) {
        return new FsException(ErrorCode.UNAVAILABLE, message);
    }

    /** Returns an {@link ErrorCode#UNAVAILABLE} with its cause. */
    public static FsException unavailable(String message, Throwable cause) {
        return new FsException(ErrorCode.UNAVAILABLE, message, cause);
    }

    public ErrorCode code() {
        return code;
    }

    /**
     * Returns the typed failure inside a throwable: unwraps completion wrappers, and wraps anything but an {@code
     * FsException} as {@link ErrorCode#INTERNAL} with its cause.
     */
    public static FsException of(Throwable thrown) {
        Throwable t = unwrap(thrown);
        if (t instanceof FsException known) {
            return known;
        }
        return new FsException(ErrorCode.INTERNAL, "internal error: " + t, t);
    }

    /** Returns the cause of a failed stage, without completion and execution wrappers. */
    public static Throwable unwrap(Throwable thrown) {
        Throwable t = thrown;
        while ((t instanceof CompletionException || t instanceof ExecutionException) && t.getCause() != null) {
            t = t.getCause();
        }
        return t;
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // Logs show the label; the message alone goes to users.
    public String toString() {
        return code.label() + " " + code + ": " + getMessage();
    }
}
