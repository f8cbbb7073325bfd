package io.lambdafs.hammer.lambda;

import java.util.Locale;

/** How instances serve. */
enum Mode {
    /** Within an invocation for each request. */
    INVOCATION,
    /** By TCP, in invocations that are held. */
    HELD;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
