package io.lambdafs.deploy;

/** A deployment or its removal failed. */
public final class DeployFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Problem.Code code;

    /** @param message what failed, why, and what to do */
    public DeployFailure(Problem.Code code, String message) {
        super(message);
        this.code = code;
    }

    public DeployFailure(Problem.Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Problem.Code code() {
        return code;
    }

    /** Returns a line for users. */
    public String line() {
        return code.label() + " " + code + ": " + getMessage();
    }
}
