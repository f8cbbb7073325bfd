package io.lambdafs.hammer.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Processor time that this machine has spent on anything since it started, as Linux counts it. Immutable.
 *
 * @param busySeconds of all processors together
 */
record ProcessorTime(double busySeconds) {
    private static final Path SOURCE = Path.of("/proc/stat");
    private static final double TICKS_PER_SECOND = 100;
    /** Fields of the first line, by their place: all but those for idleness, waiting for disks, and what was stolen. */
    private static final int[] BUSY = {1, 2, 3, 6, 7};

    /** Returns empty on a system that does not tell. */
    static Optional<ProcessorTime> now() {
        try {
            return parse(Files.readAllLines(SOURCE).get(0));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** @param line {@code cpu user nice system idle iowait irq softirq …}, in hundredths of seconds */
    static Optional<ProcessorTime> parse(String line) {
        String[] words = line.strip().split("\\s+", -1);
        if (words.length <= BUSY[BUSY.length - 1] || !words[0].equals("cpu")) {
            return Optional.empty();
        }
        long ticks = 0;
        for (int field : BUSY) {
            ticks += Long.parseLong(words[field]);
        }
        return Optional.of(new ProcessorTime(ticks / TICKS_PER_SECOND));
    }
}
