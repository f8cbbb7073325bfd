package io.lambdafs.hammer.coldstart;

import java.util.List;
import java.util.Locale;

/** What a call finds. */
enum Kind {
    /** Nothing: a process is started for it. */
    COLD(0, List.of(Step.values())),
    /** A process that runs and knows no deployment yet. */
    PREWARMED(1, List.of(Step.INITIALISATION, Step.FIRST_REPLY, Step.TOTAL));

    private final int prewarm;

    @SuppressWarnings("ImmutableEnumChecker") // never changed after construction
    private final List<Step> steps;

    Kind(int prewarm, List<Step> steps) {
        this.prewarm = prewarm;
        this.steps = List.copyOf(steps);
    }

    /** Processes that its clusters keep prewarmed. */
    int prewarm() {
        return prewarm;
    }

    /** What the call waits for, one after the other, and then all of it. */
    List<Step> steps() {
        return steps;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
