package io.lambdafs.functions.openwhisk;

import io.lambdafs.rpc.http.HttpReply;
import java.io.PrintStream;

/** Ends the log of each activation on both streams as OpenWhisk's containers must, where it is asked for. Thread-safe. */
final class ActivationLog {
    static final String END = "XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX";

    private final boolean markers;
    private final PrintStream out;
    private final PrintStream err;

    ActivationLog(boolean markers, PrintStream out, PrintStream err) {
        this.markers = markers;
        this.out = out;
        this.err = err;
    }

    /** Called with the reply of a {@code /run}, which it hands through, before it is sent. */
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
