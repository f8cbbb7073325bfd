package io.lambdafs.hammer.tail;

import io.lambdafs.cluster.options.Options;

/**
 * The settings of the experiment. Immutable.
 *
 * @param rounds turns without and with the measure, 1–100
 * @param seconds counted part of a turn, 1–3,600
 * @param window maximum number of operations in flight, 1–4,096
 * @param ops operations per second, 0–1,000,000; 0 for the maximum
 * @param everyMillis from one stop of an instance to the next, 20–60,000
 * @param stopMillis length of a stop, 1 to {@code everyMillis} / 2
 */
record TailSettings(
        Measure measure, int rounds, int seconds, int window, int ops, int everyMillis, int stopMillis, long seed) {
    TailSettings {
        Options.check(rounds >= 1 && rounds <= 100, "--rounds is 1..100, not " + rounds);
        Options.check(seconds >= 1 && seconds <= 3_600, "--seconds is 1..3600, not " + seconds);
        Options.check(window >= 1 && window <= 4_096, "--window is 1..4096, not " + window);
        Options.check(ops >= 0 && ops <= 1_000_000, "--ops is 0..1000000, not " + ops);
        Options.check(everyMillis >= 20 && everyMillis <= 60_000, "--every is 20..60000, not " + everyMillis);
        Options.check(
                stopMillis >= 1 && stopMillis <= everyMillis / 2, "--stop is 1..half of --every, not " + stopMillis);
    }
}
