package io.lambdafs.functions.openwhisk;

import io.lambdafs.rpc.http.HttpReply;
import java.io.PrintStream;

/** Writes OpenWhisk's end-of-activation markers to both output streams, if enabled. Thread-safe. */
public final class ActivationLog {
    static final String END = "XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX";

    private final boolean markers;
    private final PrintStream out;
    private final PrintStream err;

    public ActivationLog(boolean markers, PrintStream out, PrintStream err) {
        this.markers = markers;
        this.out = out;
        this.err = err;
    }

    /**
     * Marks the end of an activation and returns its reply unchanged; called before the reply of a {@code /run} is
     * sent.
     */
    HttpReply ended(HttpReply reply) {
        if (markers) {
            out.println(END);
            out.flush();
            err.println(END);
            err.flush();
        }
        return reply;
    }
}
