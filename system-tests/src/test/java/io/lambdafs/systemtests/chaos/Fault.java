package io.lambdafs.systemtests.chaos;

import java.time.Duration;
import java.util.SplittableRandom;

/** What may happen to a process, how often, and for how long. Signals: kill is SIGKILL, pause is SIGSTOP and then SIGCONT. */
enum Fault {
    /** An instance that served in the last second; the gateway starts another one when it is needed. */
    KILL_INSTANCE("instance", true, 38, 0, 0),
    /** Shorter or longer than a lease. */
    PAUSE_INSTANCE("instance", false, 28, 200, 6_000),
    KILL_GATEWAY("gateway", true, 5, 500, 5_000),
    PAUSE_GATEWAY("gateway", false, 7, 500, 5_000),
    KILL_STORE("store", true, 5, 100, 3_000),
    PAUSE_STORE("store", false, 6, 200, 6_000),
    KILL_ZOOKEEPER("zookeeper", true, 5, 100, 5_000),
    PAUSE_ZOOKEEPER("zookeeper", false, 6, 200, 8_000);

    private final String victim;
    private final boolean kills;
    private final int weight;
    private final int minMillis;
    private final int maxMillis;

    Fault(String victim, boolean kills, int weight, int minMillis, int maxMillis) {
        this.victim = victim;
        this.kills = kills;
        this.weight = weight;
        this.minMillis = minMillis;
        this.maxMillis = maxMillis;
    }

    static Fault random(SplittableRandom random) {
        int sum = 0;
        for (Fault each : values()) {
            sum += each.weight;
        }
        int at = random.nextInt(sum);
        for (Fault each : values()) {
            at -= each.weight;
            if (at < 0) {
                return each;
            }
        }
        throw new IllegalStateException("weights");
    }

    /** {@code instance}, or the service's name. */
    String victim() {
        return victim;
    }

    boolean isInstance() {
        return victim.equals("instance");
    }

    boolean kills() {
        return kills;
    }

    /** How long it lasts: until the pause or the absence ends. */
    Duration duration(SplittableRandom random) {
        return Duration.ofMillis(random.nextInt(minMillis, maxMillis + 1));
    }
}
