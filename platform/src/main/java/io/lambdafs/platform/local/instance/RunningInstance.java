package io.lambdafs.platform.local.instance;

import io.lambdafs.platform.MetricsPage;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A started function instance. Thread-safe; nothing blocks. */
public interface RunningInstance {
    /** Notes that a call waits for it from now on. */
    default void wanted() {}

    /** Sends {@code /init}, once. Fails if the instance cannot be reached. */
    CompletionStage<ActionReply> init(byte[] json);

    /** Sends {@code /run}; several may be in flight. Fails if the instance cannot be reached. */
    CompletionStage<ActionReply> run(byte[] json);

    /** Asks it to stop in order and kills it after the grace. {@link #onExit} completes with its end. */
    void stop(Duration grace);

    /** Kills it at once, without notice. */
    void kill();

    /** Completes with the exit code when it has ended, never exceptionally. */
    CompletionStage<Integer> onExit();

    /** Returns its process id; empty if it is not a separate process. */
    OptionalLong pid();

    /** Returns its address for people to read. */
    String endpoint();

    /** Returns its page of metrics; empty if it has none or does not answer. Never fails. */
    CompletionStage<MetricsPage> metrics();

    /**
     * Returns the slowest operations of its last minutes as a JSON list; empty if it has none or does not answer. Never
     * fails.
     */
    default CompletionStage<String> slowest() {
        return CompletableFuture.completedFuture("[]");
    }

    /** Returns its output. */
    InstanceLog log();
}
