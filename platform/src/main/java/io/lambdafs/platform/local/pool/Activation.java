package io.lambdafs.platform.local.pool;

import io.lambdafs.platform.local.instance.InstanceLog;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The record of an ended invocation. Immutable except the result's bytes, which are only read.
 *
 * @param id 32 hexadecimal digits
 * @param action the action as of the invocation's end
 * @param instanceId the instance that served it; empty if none did
 * @param startMillis milliseconds since 1970
 * @param durationMillis time of {@code /run}, and of {@code /init} if this invocation caused it
 * @param waitMillis time from its arrival until an instance took it
 * @param initMillis time of the {@code /init} that this invocation caused
 * @param resultBytes length of the result
 * @param result a JSON object; empty if not kept
 * @param logs the instance's output during this invocation, mixed with that of concurrent ones
 */
@SuppressWarnings("ArrayRecordComponent") // Results are passed on, never compared.
public record Activation(
        String id,
        RegisteredAction action,
        String instanceId,
        StartKind startKind,
        long startMillis,
        long durationMillis,
        long waitMillis,
        OptionalLong initMillis,
        Outcome outcome,
        int resultBytes,
        byte[] result,
        LogSpan logs) {
    private static final byte[] NO_RESULT = {'{', '}'};

    /** Returns the record of a call that ends now, in milliseconds since 1970. */
    static Activation of(Decision.End end, long nowMillis) {
        Call call = end.call();
        Instance instance = end.instance();
        OptionalLong init = call.initMillis == Call.NO_INIT ? OptionalLong.empty() : OptionalLong.of(call.initMillis);
        long duration = TimeUnit.NANOSECONDS.toMillis(end.endedNanos() - call.startedNanos) + init.orElse(0);
        LogSpan logs = LogSpan.NONE;
        if (instance != null) {
            InstanceLog log = instance.running().log();
            logs = new LogSpan(log, call.logFrom, log.position());
        }
        return new Activation(
                call.id,
                call.action,
                instance == null ? "" : instance.id,
                call.startKind,
                nowMillis - duration,
                duration,
                TimeUnit.NANOSECONDS.toMillis(call.startedNanos - call.arrivedNanos),
                init,
                end.outcome(),
                end.result().length,
                end.result(),
                logs);
    }

    /** Returns the record to keep, without the result, which may hold a file's content. */
    public Activation withoutResult() {
        return new Activation(
                id,
                action,
                instanceId,
                startKind,
                startMillis,
                durationMillis,
                waitMillis,
                initMillis,
                outcome,
                resultBytes,
                NO_RESULT,
                logs);
    }

    /** A part of an instance's log. */
    public record LogSpan(InstanceLog log, long from, long to) {
        static final LogSpan NONE = new LogSpan(InstanceLog.NONE, 0, 0);
    }
}
