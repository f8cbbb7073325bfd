package io.lambdafs.platform.local.instance;

import java.util.concurrent.CompletionStage;

/** A function that runs inside this JVM. Implementations are thread-safe. */
public interface ActionFunction extends AutoCloseable {
    /** Initialises it; called once, before any {@link #run}. A failure ends the instance. */
    CompletionStage<byte[]> init(byte[] json);

    /** Serves one invocation; several may be under way. The reply is a JSON object. */
    CompletionStage<byte[]> run(byte[] json);

    /** Leaves the system in order. */
    @Override
    void close();

    /** Ends without leaving, as a killed process does. */
    default void abort() {
        close();
    }

    /** Its figures, in Prometheus' text format. */
    default String metrics() {
        return "";
    }
}
