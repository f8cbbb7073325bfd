package io.lambdafs.platform.local.instance;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Starts function instances. Implementations are thread-safe and do not block their callers. */
public interface InstanceLauncher extends AutoCloseable {
    /** The kinds of functions that it can start. */
    Set<String> kinds();

    /**
     * Starts an instance, not yet initialised.
     *
     * @param kind one of {@link #kinds()}
     * @param memoryMb what it may use
     * @param instanceId unique; letters, digits and hyphens
     * @return the instance once it can be initialised; fails, and leaves nothing behind, when it does not start within the
     *     launcher's limit
     */
    CompletionStage<RunningInstance> launch(String kind, int memoryMb, String instanceId);

    /**
     * An instance that a gateway before this one has started.
     *
     * @param action what it was initialised for; empty where it is prewarmed
     */
    record Found(String instanceId, String kind, int memoryMb, String action, RunningInstance running) {}

    /** Instances that run already, and are to be taken over. */
    default List<Found> found() {
        return List.of();
    }

    /** Ends every instance that still runs. */
    @Override
    void close();
}
