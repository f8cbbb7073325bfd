package io.lambdafs.benchmarks.micro;

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

/** The processes that serve a file system, at the moment of asking. */
@FunctionalInterface
public interface Servers {
    Pattern HEAP = Pattern.compile("(?:^|\\x00)-Xmx([0-9]+)([kKmMgG]?)\\x00");

    /** Processes elsewhere, or nobody knows which. */
    Servers UNKNOWN = List::of;

    /** Empty where they are not known. */
    List<Server> now();

    /** One process. */
    record Server(String name, ProcessHandle process) {
        /** The most that its JVM may keep on its heap, MB; where the system tells. */
        OptionalLong heapMb() {
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

    /** CPU time of each process so far. */
    default Map<ProcessHandle, Duration> cpu() {
        Map<ProcessHandle, Duration> times = new HashMap<>();
        for (Server each : now()) {
            each.process().info().totalCpuDuration().ifPresent(time -> times.put(each.process(), time));
        }
        return times;
    }

    /**
     * CPU time between two readings. A process that came meanwhile counts from its start; of one that went nothing is known, nor of what
     * a process has forgotten of its threads that ended.
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
