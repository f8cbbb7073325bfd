package io.lambdafs.cluster.check;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Version;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Doctor's checks of the Java runtime, process limits and disk space. Stateless. */
final class MachineChecks {
    private static final int LEAST_JAVA = 17;
    private static final long LEAST_OPEN_FILES = 4_096;
    private static final long LEAST_PROCESSES = 2_048;
    /** Free space below which the store refuses additions. */
    private static final long RESERVE_BYTES = 128L << 20;

    private static final long SCARCE_BYTES = 1L << 30;

    private MachineChecks() {}

    static List<Finding> look(ClusterDirectory directory) {
        List<Finding> findings = new ArrayList<>();
        int java = Runtime.version().feature();
        findings.add(
                java >= LEAST_JAVA
                        ? Finding.ok("versions", "lambdafs " + Version.own() + ", Java " + java)
                        : Finding.fault(
                                "versions",
                                "this is Java " + java,
                                "services need " + LEAST_JAVA,
                                "put a newer JDK on the PATH"));
        findings.add(limit(
                "open files",
                "Max open files",
                LEAST_OPEN_FILES,
                "each connection and each file of the store takes one: at the limit connections are refused",
                "raise it: ulimit -n 65536, or nofile in /etc/security/limits.conf"));
        findings.add(limit(
                "processes",
                "Max processes",
                LEAST_PROCESSES,
                "threads count too: at the limit no instance starts",
                "raise it: ulimit -u 16384, or nproc in /etc/security/limits.conf"));
        findings.add(disk(directory));
        return findings;
    }

    private static Finding limit(String check, String name, long least, String why, String change) {
        OptionalLong limit = limit(name);
        if (limit.isEmpty()) {
            return Finding.unknown(check, "this system does not say its limit");
        }
        String what = limit.getAsLong() == Long.MAX_VALUE
                ? "no limit"
                : String.format(Locale.ROOT, "at most %,d", limit.getAsLong());
        return limit.getAsLong() >= least
                ? Finding.ok(check, what)
                : Finding.fault(check, String.format(Locale.ROOT, "%s, of at least %,d", what, least), why, change);
    }

    /** Returns the soft limit, as inherited by services. */
    private static OptionalLong limit(String name) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                if (line.startsWith(name)) {
                    String soft = line.substring(name.length()).strip().split("\\s+", -1)[0];
                    return OptionalLong.of(soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft));
                }
            }
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
    }

    private static Finding disk(ClusterDirectory directory) {
        try {
            FileStore disk = Files.getFileStore(existing(directory.root()));
            long free = disk.getUsableSpace();
            String what = String.format(
                    Locale.ROOT, "%,d MB of %,d MB free on %s", free >> 20, disk.getTotalSpace() >> 20, disk.name());
            if (free < RESERVE_BYTES) {
                return Finding.fault(
                        "disk",
                        what,
                        "with less than " + (RESERVE_BYTES >> 20) + " MB the store takes no additions (LFS-503)",
                        "free some space there");
            }
            return free < SCARCE_BYTES
                    ? Finding.fault(
                            "disk",
                            what,
                            "what is left below " + (RESERVE_BYTES >> 20)
                                    + " MB is a reserve, and merging the store's files takes room",
                            "free some space there, at least " + (SCARCE_BYTES >> 20) + " MB")
                    : Finding.ok("disk", what);
        } catch (IOException e) {
            return Finding.unknown("disk", "cannot be asked for its room: " + e.getMessage());
        }
    }

    /** Returns the path or its nearest existing parent. */
    private static Path existing(Path path) {
        Path above = path.getParent();
        return Files.exists(path) || above == null ? path : existing(above);
    }
}
