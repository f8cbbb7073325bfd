package io.lambdafs.platform.local.instance;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The name of an image: a digest of all that it depends on. Those are the engine; the command with the JVM's options, and every file that
 * it names, classes and archives among them, by size and time; the JDK; the processor's type, for compiled code uses its
 * features; and the kernel's boot, as the monotonic clock begins anew with it. Stateless.
 */
final class SnapshotKey {
    private static final int LENGTH = 32;

    private SnapshotKey() {}

    static String of(String engine, List<String> command) throws IOException {
        return of(engine, command, processor() + read("/proc/sys/kernel/random/boot_id") + read("/proc/version"));
    }

    /** @param machine description of processor and kernel */
    static String of(String engine, List<String> command, String machine) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        add(digest, engine);
        add(digest, machine);
        for (String argument : command) {
            add(digest, argument);
            for (Path file : files(argument)) {
                add(digest, file.toString());
                add(digest, Files.size(file) + " " + Files.getLastModifiedTime(file));
            }
        }
        Path java = Path.of(command.get(0));
        if (Files.exists(java)) {
            Path home = java.toRealPath().resolveSibling("..").normalize();
            add(digest, read(home.resolve("release").toString()));
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
    }

    private static void add(MessageDigest digest, String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
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
