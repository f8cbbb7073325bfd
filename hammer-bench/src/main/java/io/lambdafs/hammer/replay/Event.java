package io.lambdafs.hammer.replay;

import io.lambdafs.hammer.result.Sample;

/** An event that other threads hand to the replay's thread. */
sealed interface Event permits Event.Tick, Flight {
    /** A second has passed. */
    record Tick(Sample sample) implements Event {}
}
