package io.lambdafs.cluster;

import static io.lambdafs.cluster.SettingsCheck.check;

import io.lambdafs.model.FsException;
import io.lambdafs.model.Times;
import java.time.Duration;

/**
 * The protocol's time limits that depend on the machine's load; the others are fixed.
 *
 * @param ackWaitMillis how long a writer waits for an acknowledgement before it fences
 * @param leaseMillis how long an instance may answer from its cache after a renewal
 */
public record WaitSettings(long ackWaitMillis, long leaseMillis) {
    private static final long LONGEST_MILLIS = 60_000;

    public WaitSettings {
        check(isWait(ackWaitMillis), "times.ackWaitMillis", "1.." + LONGEST_MILLIS, ackWaitMillis);
        check(isWait(leaseMillis), "times.leaseMillis", "1.." + LONGEST_MILLIS, leaseMillis);
        nested(Times.DEFAULT, ackWaitMillis, leaseMillis);
    }

    private static boolean isWait(long millis) {
        return millis >= 1 && millis <= LONGEST_MILLIS;
    }

    /** Checks that the limits nest, as instances also assert at startup. */
    private static void nested(Times others, long ackWaitMillis, long leaseMillis) {
        try {
            new Times(
                    Duration.ofMillis(ackWaitMillis),
                    Duration.ofMillis(leaseMillis),
                    others.drift(),
                    others.session(),
                    others.lockWait(),
                    others.transaction(),
                    others.attempt(),
                    others.deadline(),
                    others.slotLife());
        } catch (FsException e) {
            throw new FsException(
                    e.code(), "the setting \"times.leaseMillis\" or \"times.ackWaitMillis\": " + e.getMessage());
        }
    }
}
