package io.lambdafs.rpc.fuzz;

/** A decoder broke its promise. */
public final class Finding extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Finding(String message) {
        super(message);
    }
}
