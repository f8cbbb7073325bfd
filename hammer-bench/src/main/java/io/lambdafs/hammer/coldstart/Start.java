package io.lambdafs.hammer.coldstart;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The times of one start, microseconds since 1970 by the machine's clock, which the caller and the instance share.
 * Immutable.
 *
 * @param called the caller sent the call
 * @param main the instance's main method began
 * @param listening the instance waited for its deployment
 * @param initialised the instance had received its deployment
 * @param replied the caller had the reply
 * @param warmth what the operations after it cost
 */
record Start(long called, long main, long listening, long initialised, long replied, Warmth warmth) {
    private static final double MICROS_PER_MILLI = 1e3;

    Start(long called, long main, long listening, long initialised, long replied) {
        this(called, main, listening, initialised, replied, Warmth.NONE);
    }

    Start with(Warmth measured) {
        return new Start(called, main, listening, initialised, replied, measured);
    }

    /**
     * Combines the caller's times with those that the instance reports.
     *
     * @param health the instance's page {@code /healthz}
     */
    static Start of(long called, JsonNode health, long replied) {
        JsonNode told = health.path("startMicros");
        return new Start(
                called,
                told.path("main").longValue(),
                told.path("listening").longValue(),
                told.path("initialised").longValue(),
                replied);
    }

    /** Returns whether the call found a process; fails if the order of the times makes no sense. */
    boolean isPrewarmed() {
        boolean cold = called <= main && main <= listening;
        boolean prewarmed = main > 0 && main <= listening && listening <= called;
        if (cold == prewarmed || Math.max(called, listening) > initialised || initialised > replied) {
            throw new IllegalStateException("not the moments of a start: " + this);
        }
        return prewarmed;
    }

    /** Returns the duration of a step. */
    double millis(Step step) {
        long micros = switch (step) {
            case PROCESS -> main - called;
            case WIRING -> listening - main;
            case INITIALISATION -> initialised - Math.max(called, listening);
            case FIRST_REPLY -> replied - initialised;
            case TOTAL -> replied - called;
        };
        return micros / MICROS_PER_MILLI;
    }
}
