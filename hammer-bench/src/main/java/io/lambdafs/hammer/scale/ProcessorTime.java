package io.lambdafs.hammer.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The processor time that this machine has spent since it started, as Linux counts it. Stateless. */
final class ProcessorTime {
    private static final Path SOURCE = Path.of("/proc/stat");
    private static final double TICKS_PER_SECOND = 100;
    /** Positions in the first line of all fields except idle time, waiting for disks, and stolen time. */
    private static final int[] BUSY = {1, 2, 3, 6, 7};

    private ProcessorTime() {}

    /** Returns the seconds of all processors together; NaN if the system does not report them. */
    static double busySeconds() {
        try {
            return parse(Files.readAllLines(SOURCE).get(0));
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    /** @param line {@code cpu user nice system idle iowait irq softirq …}, in hundredths of seconds */
    static double parse(String line) {
        String[] words = line.strip().split("\\s+", -1);
        if (words.length <= BUSY[BUSY.length - 1] || !words[0].equals("cpu")) {
            return Double.NaN;
        }
        long ticks = 0;
        for (int field : BUSY) {
            ticks += Long.parseLong(words[field]);
        }
        return ticks / TICKS_PER_SECOND;
    }
}
