package io.lambdafs.benchmarks.micro;

import io.lambdafs.benchmarks.micro.driver.MicroOp;
import io.lambdafs.model.FsException;
import java.util.List;

/**
 * The parameters of {@code lambdafs bench micro}. Validated; immutable.
 *
 * @param ops operations, in the order of measurement
 * @param threads numbers of threads on Hadoop's interface; may be empty
 * @param windows numbers of calls in flight on λFS's own interface; may be empty
 * @param rounds turns of each lane
 * @param seconds counted seconds of each turn
 * @param warmUpSeconds uncounted seconds of each turn before them, and a third of an uncounted turn before all others
 * @param seed seed of every random choice
 * @param directories directories of the Spotify mix
 */
record MicroSettings(
        List<MicroOp> ops,
        List<Integer> threads,
        List<Integer> windows,
        int rounds,
        double seconds,
        double warmUpSeconds,
        long seed,
        int directories) {
    private static final int MOST_LANES = 4_096;
    private static final int FIRST_TURN = 3;

    MicroSettings {
        ops = List.copyOf(ops);
        threads = List.copyOf(threads);
        windows = List.copyOf(windows);
        check(!ops.isEmpty(), "--ops names none");
        check(!threads.isEmpty() || !windows.isEmpty(), "--threads and --window are both empty");
        threads.forEach(each -> check(isLanes(each), "--threads is 1.." + MOST_LANES + ", not " + each));
        windows.forEach(each -> check(isLanes(each), "--window is 1.." + MOST_LANES + ", not " + each));
        check(rounds >= 1 && rounds <= 1_000, "--rounds is 1..1000, not " + rounds);
        check(seconds >= 0.05 && seconds <= 600, "--seconds is 0.05..600, not " + seconds);
        check(warmUpSeconds >= 0 && warmUpSeconds <= 600, "--warm-up is 0..600, not " + warmUpSeconds);
        check(directories >= 1 && directories <= 1_000_000, "--directories is 1..1000000, not " + directories);
    }

    /** Returns operations by their labels. */
    static List<MicroOp> ops(List<String> labels) {
        return labels.stream()
                .map(label -> MicroOp.of(label)
                        .orElseThrow(() -> FsException.invalidArgument("--ops: there is no \"" + label
                                + "\"; known are " + String.join(", ", MicroOp.labels()))))
                .toList();
    }

    /** Returns the numbers given by an option; 0 stands for none. */
    static List<Integer> lanes(List<Integer> given) {
        return given.equals(List.of(0)) ? List.of() : given;
    }

    long millis() {
        return Math.round(seconds * 1_000);
    }

    long warmUpMillis() {
        return Math.round(warmUpSeconds * 1_000);
    }

    /** Returns the length of the uncounted first turn. */
    long firstMillis() {
        return Math.max(1, FIRST_TURN * warmUpMillis());
    }

    private static boolean isLanes(int number) {
        return number >= 1 && number <= MOST_LANES;
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw FsException.invalidArgument(message);
        }
    }
}
