package io.lambdafs.benchmarks.micro;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the compile time of local JVMs: the CPU time of their compiler threads, from Linux. Stateless. */
final class CompilerTime {
    /** Matches name, user time and system time; Linux truncates names to 15 characters. */
    private static final Pattern COMPILER = Pattern.compile(
            "[0-9]+ \\(C[12] CompilerThre[^)]*\\) \\S+(?: \\S+){10} ([0-9]+) ([0-9]+) .*", Pattern.DOTALL);

    /** Linux reports hundredths of a second, whatever its own clock. */
    private static final long MILLIS_PER_TICK = 10;

    private CompilerTime() {}

    /**
     * Returns the compile time so far of each process that has compiled anything; empty if the system does not report
     * it.
     */
    static Map<ProcessHandle, Duration> of(Collection<ProcessHandle> processes) {
        Map<ProcessHandle, Duration> times = new HashMap<>();
        for (ProcessHandle process : processes) {
            long ticks = 0;
            try (DirectoryStream<Path> threads =
                    Files.newDirectoryStream(Path.of("/proc", String.valueOf(process.pid()), "task"))) {
                for (Path thread : threads) {
                    Matcher compiler = COMPILER.matcher(stat(thread));
                    if (compiler.matches()) {
                        ticks += Long.parseLong(compiler.group(1)) + Long.parseLong(compiler.group(2));
                    }
                }
            } catch (IOException | DirectoryIteratorException ended) {
                continue;
            }
            if (ticks > 0) {
                times.put(process, Duration.ofMillis(ticks * MILLIS_PER_TICK));
            }
        }
        return times;
    }

    private static String stat(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // The process has ended.
        }
    }
}
