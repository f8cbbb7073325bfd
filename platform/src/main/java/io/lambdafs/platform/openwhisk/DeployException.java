package io.lambdafs.platform.openwhisk;

/** A platform refused a deployment or could not be reached. */
public final class DeployException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    DeployException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Returns the HTTP status of the refusal. */
    public int status() {
        return status;
    }
}
