package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;

import io.lambdafs.model.time.Times;
import io.lambdafs.store.instance.ConfirmedLeases;
import java.time.Duration;

/**
 * The protocol's time limits that depend on the machine's load; the others follow from them.
 *
 * @param ackWaitMillis how long a writer waits for an acknowledgement before it fences
 * @param leaseMillis how long an instance may answer from its cache after a renewal
 */
public record WaitSettings(long ackWaitMillis, long leaseMillis) {
    /** Even with the longest lease, a client can then retry once within its deadline. */
    private static final long LONGEST_ACK_WAIT_MILLIS = 20_000;

    private static final long SHORTEST_LEASE_MILLIS = 3 * Times.DEFAULT.drift().toMillis() + 1;

    public WaitSettings {
        within("times.ackWaitMillis", 1, LONGEST_ACK_WAIT_MILLIS, ackWaitMillis);
        within("times.leaseMillis", SHORTEST_LEASE_MILLIS, ConfirmedLeases.LONGEST.toMillis(), leaseMillis);
    }

    private static void within(String key, long least, long most, long millis) {
        check(millis >= least && millis <= most, key, least + ".." + most, millis);
    }

    /** Returns all limits. */
    public Times all() {
        return Times.from((name, otherwise) -> switch (name) {
            case "ackWait" -> Duration.ofMillis(ackWaitMillis);
            case "lease" -> Duration.ofMillis(leaseMillis);
            default -> otherwise;
        });
    }
}
