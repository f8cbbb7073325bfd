package io.lambdafs.cluster.options;

import io.lambdafs.model.FsException;

/** Checks the values of commands' options. Stateless. */
public final class Options {
    private Options() {}

    /**
     * Rejects an invalid value.
     *
     * @param message names the option, its permitted values, and its value
     * @throws FsException {@code INVALID_ARGUMENT} if it does not hold
     */
    public static void check(boolean holds, String message) {
        if (!holds) {
            throw FsException.invalidArgument(message);
        }
    }
}
