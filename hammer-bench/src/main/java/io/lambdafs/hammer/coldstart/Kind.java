package io.lambdafs.hammer.coldstart;

import java.util.List;
import java.util.Locale;

/** The kind of instance that a call finds. */
enum Kind {
    /** None: a process is started for it. */
    COLD(0, List.of(Step.values())),
    /** A running process that has no deployment yet. */
    PREWARMED(1, List.of(Step.INITIALISATION, Step.FIRST_REPLY, Step.TOTAL));

    private final int prewarm;

    @SuppressWarnings("ImmutableEnumChecker") // never changed after construction
    private final List<Step> steps;

    Kind(int prewarm, List<Step> steps) {
        this.prewarm = prewarm;
        this.steps = List.copyOf(steps);
    }

    /** Returns the number of processes that its clusters keep prewarmed. */
    int prewarm() {
        return prewarm;
    }

    /** Returns the steps that the call waits for, in order, and then the total. */
    List<Step> steps() {
        return steps;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
