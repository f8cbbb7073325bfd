package io.lambdafs.systemtests.chaos;

import java.time.Duration;
import java.util.Collection;
import java.util.SplittableRandom;

/** Faults with their victims, frequency and duration. An instance is always one that served within the last second. */
enum Fault {
    /** The gateway starts another one when it is needed. */
    KILL_INSTANCE("instance", How.KILL, 34, 0, 0),
    /** Shorter or longer than a lease. */
    PAUSE_INSTANCE("instance", How.PAUSE, 24, 200, 6_000),
    KILL_GATEWAY("gateway", How.KILL, 5, 500, 5_000),
    PAUSE_GATEWAY("gateway", How.PAUSE, 7, 500, 5_000),
    KILL_STORE("store", How.KILL, 5, 100, 3_000),
    PAUSE_STORE("store", How.PAUSE, 6, 200, 6_000),
    /** PostgreSQL, or one data node of two. */
    KILL_DATABASE("database", How.KILL, 5, 500, 4_000),
    /** PostgreSQL's primary is killed, and its synchronous standby promoted; once. */
    PROMOTE_STANDBY("standby", How.PROMOTE, 0, 1_000, 1_000),
    KILL_ZOOKEEPER("zookeeper", How.KILL, 5, 100, 5_000),
    PAUSE_ZOOKEEPER("zookeeper", How.PAUSE, 6, 200, 8_000),
    KILL_CLIENT("client", How.KILL, 8, 100, 3_000),
    FULL_DISK("store", How.FULL, 4, 1_000, 5_000),
    JUMP_INSTANCE("instance", How.JUMP, 6, 1_500, 6_000),
    JUMP_GATEWAY("gateway", How.JUMP, 2, 1_500, 6_000),
    /** From everybody but its clients. */
    CUT_INSTANCE("instance", How.CUT, 6, 300, 6_000),
    CUT_STORE("store", How.CUT, 4, 300, 5_000),
    CUT_ZOOKEEPER("zookeeper", How.CUT, 5, 300, 8_000);

    /** Ways to inject a fault. */
    enum How {
        /** SIGKILL. */
        KILL,
        /** SIGSTOP, then SIGCONT. */
        PAUSE,
        /** Its disk is filled, then emptied. */
        FULL,
        /** Its wall clock jumps, and jumps back. */
        JUMP,
        /** Messages to it, from it, or both are lost. */
        CUT,
        /** It ends, and another one takes its place. */
        PROMOTE
    }

    private final String victim;
    private final How how;
    private final int weight;
    private final int minMillis;
    private final int maxMillis;

    Fault(String victim, How how, int weight, int minMillis, int maxMillis) {
        this.victim = victim;
        this.how = how;
        this.weight = weight;
        this.minMillis = minMillis;
        this.maxMillis = maxMillis;
    }

    static Fault random(Collection<Fault> possible, SplittableRandom random) {
        int sum = 0;
        for (Fault each : possible) {
            sum += each.weight;
        }
        int at = random.nextInt(sum);
        for (Fault each : possible) {
            at -= each.weight;
            if (at < 0) {
                return each;
            }
        }
        throw new IllegalStateException("weights");
    }

    /** {@code instance}, {@code client}, or the service's name. */
    String victim() {
        return victim;
    }

    How how() {
        return how;
    }

    boolean isInstance() {
        return victim.equals("instance");
    }

    boolean kills() {
        return how == How.KILL;
    }

    /** Returns whether both may be at once: other victims, and none whose effect or end could not be seen then. */
    boolean mayMeet(Fault other) {
        return (isInstance() || !victim.equals(other.victim)) && !isWatched() && !other.isWatched();
    }

    private boolean isWatched() {
        return how == How.FULL || how == How.JUMP || how == How.PROMOTE || this == KILL_CLIENT;
    }

    /** How long it lasts: until the pause or the absence ends. */
    Duration duration(SplittableRandom random) {
        return Duration.ofMillis(random.nextInt(minMillis, maxMillis + 1));
    }
}
