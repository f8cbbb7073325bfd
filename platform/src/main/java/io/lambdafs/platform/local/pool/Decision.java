package io.lambdafs.platform.local.pool;

import org.jspecify.annotations.Nullable;

/** An action that the scheduler decides under its lock and that is carried out outside. */
sealed interface Decision {
    /** Start a process. */
    record Launch(Instance instance) implements Decision {}

    /** Let a process that starts ahead start as one that somebody waits for. */
    record Hurry(Instance instance) implements Decision {}

    /** Send {@code /init}. */
    record Initialise(Instance instance, RegisteredAction action) implements Decision {}

    /** Send {@code /run}. */
    record Run(Instance instance, Call call) implements Decision {}

    /** Ask the instance to stop in order. */
    record Stop(Instance instance, String reason) implements Decision {}

    /** Kill the instance. */
    record Kill(Instance instance, String reason) implements Decision {}

    /** Complete the caller's stage. */
    @SuppressWarnings("ArrayRecordComponent")
    record End(Call call, @Nullable Instance instance, Outcome outcome, byte[] result, long endedNanos)
            implements Decision {}
}
