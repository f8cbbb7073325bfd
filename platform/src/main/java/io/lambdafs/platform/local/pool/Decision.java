package io.lambdafs.platform.local.pool;

import org.jspecify.annotations.Nullable;

/** What the scheduler wants done, outside its lock. */
sealed interface Decision {
    /** Start a process. */
    record Launch(Instance instance) implements Decision {}

    /** Send {@code /init}. */
    record Initialise(Instance instance, RegisteredAction action) implements Decision {}

    /** Send {@code /run}. */
    record Run(Instance instance, Call call) implements Decision {}

    /** Ask it to leave in order. */
    record Stop(Instance instance, String reason) implements Decision {}

    /** End it by force. */
    record Kill(Instance instance, String reason) implements Decision {}

    /** Tell the caller. */
    @SuppressWarnings("ArrayRecordComponent")
    record End(Call call, @Nullable Instance instance, Outcome outcome, byte[] result, long endedNanos)
            implements Decision {}
}
