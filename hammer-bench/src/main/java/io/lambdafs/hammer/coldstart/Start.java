package io.lambdafs.hammer.coldstart;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The moments of one start, microseconds since 1970 by the machine's clock, which the caller and the instance share. Immutable.
 *
 * @param called the caller asked
 * @param main the instance's main method began
 * @param listening the instance waited for its deployment
 * @param initialised the instance had been told its deployment
 * @param replied the caller had the reply
 */
record Start(long called, long main, long listening, long initialised, long replied) {
    private static final double MICROS_PER_MILLI = 1e3;

    /**
     * With what the instance tells of itself.
     *
     * @param health its page {@code /healthz}
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

    /** What the call found; fails where the moments are in no order that makes sense. */
    Kind kind() {
        boolean cold = called <= main && main <= listening;
        boolean prewarmed = main > 0 && main <= listening && listening <= called;
        if (cold == prewarmed || Math.max(called, listening) > initialised || initialised > replied) {
            throw new IllegalStateException("not the moments of a start: " + this);
        }
        return cold ? Kind.COLD : Kind.PREWARMED;
    }

    /** How long a step took. */
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
