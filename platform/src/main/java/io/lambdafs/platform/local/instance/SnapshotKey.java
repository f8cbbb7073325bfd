package io.lambdafs.platform.local.instance;

import io.lambdafs.model.Sha256;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The name of an image: a digest of all that it depends on. Those are the engine; the command with the JVM's options, and every file that
 * it names, classes and archives among them, by size and time; the JDK; the processors and their type, for compiled code uses
 * their features; the kernel's boot, as the monotonic clock begins anew with it; and what a process is given at its start
 * and keeps: its environment, its limits and the time zone. Stateless.
 */
final class SnapshotKey {
    private static final int LENGTH = 32;

    private SnapshotKey() {}

    /**
     * Returns a description of the machine as a process of this one's would find it.
     *
     * @param environment given to the process
     */
    static String machine(Map<String, String> environment) throws IOException {
        return processor()
                + Runtime.getRuntime().availableProcessors()
                + read("/proc/sys/kernel/random/boot_id")
                + read("/proc/version")
                + read("/proc/self/limits")
                + zone()
                + new TreeMap<>(environment);
    }

    private static String zone() throws IOException {
        Path zone = Path.of("/etc/localtime");
        return Files.exists(zone) ? zone.toRealPath().toString() : "";
    }

    /** @param machine as {@link #machine} describes it */
    static String of(String engine, List<String> command, String machine) throws IOException {
        List<String> parts = new ArrayList<>(List.of(engine, machine));
        for (String argument : command) {
            parts.add(argument);
            for (Path file : files(argument)) {
                parts.add(file.toString());
                parts.add(Files.size(file) + " " + Files.getLastModifiedTime(file));
            }
        }
        Path java = Path.of(command.get(0));
        if (Files.exists(java)) {
            Path home = java.toRealPath().resolveSibling("..").normalize();
            parts.add(read(home.resolve("release").toString()));
        }
        return Sha256.hex(String.join("\0", parts)).substring(0, LENGTH);
    }

    /** Returns the files that an argument names: a path, a class path, or the value of an option. */
    private static List<Path> files(String argument) throws IOException {
        List<Path> found = new ArrayList<>();
        String named = argument.startsWith("-") ? argument.substring(argument.indexOf('=') + 1) : argument;
        for (String part : named.split(File.pathSeparator)) {
            if (part.startsWith("/") && Files.exists(Path.of(part))) {
                try (Stream<Path> all = Files.walk(Path.of(part))) {
                    all.filter(Files::isRegularFile).sorted().forEach(found::add);
                } catch (UncheckedIOException e) {
                    throw e.getCause();
                }
            }
        }
        return found;
    }

    private static String processor() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line : read("/proc/cpuinfo").split("\n")) {
            if (line.isEmpty()) {
                break;
            }
            if (line.startsWith("model name") || line.startsWith("flags") || line.startsWith("Features")) {
                text.append(line).append('\n');
            }
        }
        return text.toString();
    }

    private static String read(String file) throws IOException {
        try {
            return Files.readString(Path.of(file));
        } catch (NoSuchFileException none) {
            return "";
        }
    }
}
