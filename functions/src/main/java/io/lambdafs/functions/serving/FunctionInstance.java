package io.lambdafs.functions.serving;

import java.util.List;
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

    /**
     * Gives the lease back, so that the process may be frozen, and for any time: what is under way is answered, no client stays connected,
     * nothing stays cached, and the other instances do not wait for this one. Requests are refused until {@link #resume}. Where the store
     * cannot be reached it fails; the epoch is over here all the same, and others fence it. Not while one of both is under way.
     */
    CompletionStage<Void> suspend();

    /**
     * Takes up service again, under a fresh epoch; does nothing but wait for the join where it serves already. Requests may come before
     * it completes: they wait for the join.
     *
     * @param dials whether clients that ask for it are connected to
     * @return completes with the join; fails as its first attempt did, and others follow by themselves
     */
    CompletionStage<Void> resume(boolean dials);

    /** How many live members serve the same deployment beside this one, as known here; 0 before the join. */
    int companions();

    /** The slowest operations of the last minutes, the slowest first. */
    List<SlowOperation> slowest();

    /** Leaves in order: nothing more is taken, what is under way is answered, the epoch is killed, the member forgotten. Idempotent. */
    CompletionStage<Void> leave();
}
