package io.lambdafs.hammer;

/** An event that other threads hand to the replay's thread. */
sealed interface Event permits Event.Tick, Flight {
    /** A second has passed. */
    record Tick(Sample sample) implements Event {}
}
