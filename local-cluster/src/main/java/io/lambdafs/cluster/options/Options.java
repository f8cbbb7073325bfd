package io.lambdafs.cluster.options;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;

/** What commands ask of the values of their options. Stateless. */
public final class Options {
    private Options() {}

    /**
     * Refuses what makes no sense.
     *
     * @param message names the option, what it may be, and what it is
     * @throws FsException {@code INVALID_ARGUMENT} if it does not hold
     */
    public static void check(boolean holds, String message) {
        if (!holds) {
            throw new FsException(ErrorCode.INVALID_ARGUMENT, message);
        }
    }
}
