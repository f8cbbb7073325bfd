package io.lambdafs.platform.local.instance;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Starts function instances. Implementations are thread-safe and do not block their callers. */
public interface InstanceLauncher extends AutoCloseable {
    /** Returns the kinds of functions that it can start. */
    Set<String> kinds();

    /**
     * Starts an instance without initialising it.
     *
     * @param kind one of {@link #kinds()}
     * @param memoryMb memory that it may use
     * @param instanceId unique; letters, digits and hyphens
     * @return the instance once it can be initialised; fails, and leaves nothing behind, when it does not start within the
     *     launcher's limit
     */
    CompletionStage<RunningInstance> launch(String kind, int memoryMb, String instanceId);

    /**
     * Starts an instance that no one waits for: as {@link #launch}, but where possible with processor time that is
     * otherwise idle, until {@link #hurry} or {@link RunningInstance#wanted}.
     */
    default CompletionStage<RunningInstance> launchAhead(String kind, int memoryMb, String instanceId) {
        return launch(kind, memoryMb, instanceId);
    }

    /** Notes that someone now waits for an instance that starts ahead. */
    default void hurry(String instanceId) {}

    /**
     * An instance started by an earlier gateway.
     *
     * @param action action for which it was initialised; empty if prewarmed
     */
    record Found(String instanceId, String kind, int memoryMb, String action, RunningInstance running) {}

    /** Returns running instances to take over. */
    default List<Found> found() {
        return List.of();
    }

    /** Ends every running instance. */
    @Override
    void close();
}
