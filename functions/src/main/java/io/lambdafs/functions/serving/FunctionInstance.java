package io.lambdafs.functions.serving;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One running instance of the function, as a platform's entry sees it. Thread-safe. */
public interface FunctionInstance {
    /** Starts an instance once its deployment is known. May block; called on a worker. */
    @FunctionalInterface
    interface Starter {
        /**
         * Starts the instance; its join continues in the background.
         *
         * @param deployment 0-based
         * @param instance the platform's id of the instance; unique
         * @throws io.lambdafs.model.FsException if its configuration is wrong or a service cannot be reached
         */
        FunctionInstance start(int deployment, String instance);
    }

    int deployment();

    /** Returns the current epoch; 0 if none has joined. */
    long epoch();

    /** Returns why it cannot serve, if that has lasted for a while. */
    Optional<String> outage();

    /** Returns the gate that all requests pass. */
    RequestGate gate();

    /** Returns the connections back to clients. */
    ClientConnections clients();

    /** Completes when the first join succeeds; fails when the first attempt fails (retries follow automatically). */
    CompletionStage<Void> joined();

    /** Returns the milliseconds billed so far. */
    long billedMillis();

    /** Returns its metrics in Prometheus' text format. May be slow the first time; not for an event loop. */
    String metrics();

    /**
     * Releases the lease, so that the process may be frozen for any time: operations in progress are answered, clients
     * are disconnected, the cache is dropped, and other instances do not wait for this one. Requests are refused until
     * {@link #resume}. Fails if the store cannot be reached; the epoch still ends here, and others fence it. Must not
     * overlap another suspend or resume.
     */
    CompletionStage<Void> suspend();

    /**
     * Resumes service under a fresh epoch; if already serving, only waits for the join. Requests may arrive before it
     * completes and wait for the join.
     *
     * @param dials whether to open connections that clients request
     * @return completes with the join; fails as its first attempt does (retries follow automatically)
     */
    CompletionStage<Void> resume(boolean dials);

    /** Returns the number of other live members of the same deployment, as known here; 0 before the join. */
    int companions();

    /** Returns the slowest operations of the last minutes, slowest first. */
    List<SlowOperation> slowest();

    /**
     * Leaves in order: refuses new requests, answers those in progress, ends the epoch and removes the member.
     * Idempotent.
     */
    CompletionStage<Void> leave();
}
