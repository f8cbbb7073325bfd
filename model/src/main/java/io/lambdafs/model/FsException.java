package io.lambdafs.model;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * A typed failure. The message says what failed, why, and what to do; the stack is not recorded, for these are answers, not
 * faults of the program (those keep their cause).
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

    public ErrorCode code() {
        return code;
    }

    /**
     * The typed failure inside a throwable: unwraps completion wrappers, and turns what is no {@code FsException} into
     * {@link ErrorCode#INTERNAL} with its cause kept.
     */
    public static FsException of(Throwable thrown) {
        Throwable t = unwrap(thrown);
        if (t instanceof FsException known) {
            return known;
        }
        return new FsException(ErrorCode.INTERNAL, "internal error: " + t, t);
    }

    /** Returns what a stage failed with: the throwable inside the wrappers of completion and execution. */
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
