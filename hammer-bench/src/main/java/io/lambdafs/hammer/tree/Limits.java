package io.lambdafs.hammer.tree;

import io.lambdafs.model.FsException;

/** Range checks of settings. */
public final class Limits {
    private Limits() {}

    /** Throws unless a value is in its range. */
    public static void check(String what, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw FsException.invalidArgument(
                    what + " must be " + plain(least) + ".." + plain(most) + ", not " + plain(value));
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
