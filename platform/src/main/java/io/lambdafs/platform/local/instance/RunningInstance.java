package io.lambdafs.platform.local.instance;

import io.lambdafs.platform.MetricsPage;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A function instance that has started. Thread-safe; nothing blocks. */
public interface RunningInstance {
    /** Sends {@code /init}, once. Fails when the instance cannot be reached. */
    CompletionStage<ActionReply> init(byte[] json);

    /** Sends {@code /run}; several may be under way. Fails when the instance cannot be reached. */
    CompletionStage<ActionReply> run(byte[] json);

    /** Asks it to leave in order, and ends it by force after the grace. {@link #onExit} tells when it has gone. */
    void stop(Duration grace);

    /** Ends it at once, without notice. */
    void kill();

    /** Completes with the exit code when it has gone, never exceptionally. */
    CompletionStage<Integer> onExit();

    /** Its process; empty where it has none of its own. */
    OptionalLong pid();

    /** Where it listens, for people to read. */
    String endpoint();

    /** What it tells of itself on its page of metrics; empty where it has none or does not answer. Never fails. */
    CompletionStage<MetricsPage> metrics();

    /** The slowest operations of its last minutes, a JSON list; an empty one where it has none to tell or does not answer. Never fails. */
    default CompletionStage<String> slowest() {
        return CompletableFuture.completedFuture("[]");
    }

    /** What it prints. */
    InstanceLog log();
}
