package io.lambdafs.functions.serving;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One running instance of the function, as a platform's entry sees it. Thread-safe. */
public interface FunctionInstance {
    /** Starts an instance, once it is known of which deployment. May block; called on a worker. */
    @FunctionalInterface
    interface Starter {
        /**
         * Starts it; its join goes on in the background.
         *
         * @param deployment 0-based
         * @param instance the platform's id of the instance; unique
         * @throws io.lambdafs.model.FsException what is wrong with its configuration, or cannot be reached
         */
        FunctionInstance start(int deployment, String instance);
    }

    int deployment();

    /** The current epoch; 0 when there is none that has joined. */
    long epoch();

    /** Why it cannot serve, where that has lasted for a while. */
    Optional<String> outage();

    /** What requests pass. */
    RequestGate gate();

    /** Connections back to clients. */
    ClientConnections clients();

    /** Completes when the first join has succeeded; fails when the first attempt failed (others follow by themselves). */
    CompletionStage<Void> joined();

    /** Milliseconds in which it served something, so far. */
    long billedMillis();

    /** Its metrics in Prometheus' text format. May take long the first time; not for an event loop. */
    String metrics();

    /** Leaves in order: nothing more is taken, what is under way is answered, the epoch is killed, the member forgotten. Idempotent. */
    CompletionStage<Void> leave();
}
