package io.lambdafs.hammer;

/** What comes to the replay's thread from others. */
sealed interface Event permits Event.Tick, Flight {
    /** A second has passed. */
    record Tick(Sample sample) implements Event {}
}
