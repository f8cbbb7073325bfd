package io.lambdafs.benchmarks.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The current server processes of a file system. */
@FunctionalInterface
public interface Servers {
    Pattern HEAP = Pattern.compile("(?:^|\\x00)-Xmx([0-9]+)([kKmMgG]?)\\x00");

    /** For servers that are remote or not known. */
    Servers UNKNOWN = List::of;

    /** Returns the current servers; empty if not known. */
    List<Server> now();

    /** A server process. */
    record Server(String name, ProcessHandle process) {
        /** Returns the heap limit of its JVM in MB, if the system reports it. */
        public OptionalLong heapMb() {
            try {
                String command = Files.readString(
                        Path.of("/proc", String.valueOf(process.pid()), "cmdline"), StandardCharsets.ISO_8859_1);
                Matcher heap = HEAP.matcher(command);
                return heap.find()
                        ? OptionalLong.of(megabytes(Long.parseLong(heap.group(1)), heap.group(2)))
                        : OptionalLong.empty();
            } catch (IOException e) {
                return OptionalLong.empty();
            }
        }

        private static long megabytes(long number, String unit) {
            return switch (unit) {
                case "" -> number >> 20;
                case "k", "K" -> number >> 10;
                case "g", "G" -> number << 10;
                default -> number;
            };
        }
    }

    /** Returns the CPU time of each process so far. */
    default Map<ProcessHandle, Duration> cpu() {
        Map<ProcessHandle, Duration> times = new HashMap<>();
        for (Server each : now()) {
            each.process().info().totalCpuDuration().ifPresent(time -> times.put(each.process(), time));
        }
        return times;
    }

    /**
     * Returns the CPU time between two readings. A process started meanwhile counts from its start; an ended one does
     * not count, nor does time that a process no longer reports for its ended threads.
     */
    static Duration between(Map<ProcessHandle, Duration> before, Map<ProcessHandle, Duration> after) {
        Duration sum = Duration.ZERO;
        for (Map.Entry<ProcessHandle, Duration> each : after.entrySet()) {
            Duration used = each.getValue().minus(before.getOrDefault(each.getKey(), Duration.ZERO));
            sum = used.isNegative() ? sum : sum.plus(used);
        }
        return sum;
    }
}
