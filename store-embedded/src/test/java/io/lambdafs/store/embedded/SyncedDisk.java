package io.lambdafs.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A disk that a process sees from outside: what it has of a directory is what the process asked the system to sync, not what it says that it
 * did. By a library that is built from {@code src/test/c} and preloaded. Confined to one thread.
 */
final class SyncedDisk {
    static final String NEEDS = "needs Linux and a C compiler, cc";

    private static final Path SOURCE = Path.of("src/test/c/synced.c");

    private final Path home;
    private final Path data;

    private SyncedDisk(Path home, Path data) {
        this.home = home;
        this.data = data;
    }

    /** Builds the library, and takes what is in the directory for synced; empty where it cannot be built. */
    static Optional<SyncedDisk> of(Path home, Path directory) throws IOException, InterruptedException {
        Files.createDirectories(home.resolve("files"));
        Files.createDirectories(directory);
        if (!compile(home.resolve("synced.so"))) {
            return Optional.empty();
        }
        SyncedDisk disk = new SyncedDisk(home, directory.toRealPath());
        StringBuilder names = new StringBuilder();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                Object inode = Files.getAttribute(file, "unix:ino");
                Files.copy(file, home.resolve("files/" + inode + ".0"));
                names.append(inode).append(".0 ").append(file.getFileName()).append('\n');
            }
        }
        Files.writeString(home.resolve("names"), names);
        return Optional.of(disk);
    }

    private static boolean compile(Path library) throws InterruptedException {
        try {
            Process compiler = new ProcessBuilder(
                            "cc",
                            "-std=gnu11",
                            "-O2",
                            "-shared",
                            "-fPIC",
                            "-o",
                            library.toString(),
                            SOURCE.toString(),
                            "-ldl",
                            "-lpthread")
                    .inheritIO()
                    .start();
            return compiler.waitFor() == 0 && Files.isDirectory(Path.of("/proc/self"));
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the environment of a process that uses this disk. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                home.resolve("synced.so").toString(),
                "LAMBDAFS_DISK",
                home.toString(),
                "LAMBDAFS_DISK_OF",
                data.toString());
    }

    /** From now on syncs of logs do not return. */
    void hold() throws IOException {
        Files.createFile(home.resolve("hold"));
    }

    /** Returns whether a sync waits. */
    boolean isHolding() {
        return Files.exists(home.resolve("held"));
    }

    /** Lets the next syncs of logs fail. */
    void failNext(int syncs) throws IOException {
        Files.writeString(home.resolve("fail"), Integer.toString(syncs));
    }

    /** How many syncs are still to fail. */
    int toFail() throws IOException {
        return Integer.parseInt(Files.readString(home.resolve("fail")));
    }

    /** Syncs of logs so far. */
    long syncsOfLogs() throws IOException {
        try (Stream<String> syncs = Files.lines(home.resolve("syncs"))) {
            return syncs.filter(line -> line.contains(".log ")).count();
        } catch (NoSuchFileException none) {
            return 0;
        }
    }

    /** Makes a directory of what a power failure leaves, when the process is gone: a file that was never synced is empty. */
    Path image(Path to) throws IOException {
        Files.createDirectories(to);
        List<String> names = Files.readAllLines(home.resolve("names"));
        for (String line : names) {
            String[] parts = line.split(" ", 2);
            Path content = home.resolve("files/" + parts[0]);
            if (Files.exists(content)) {
                Files.copy(content, to.resolve(parts[1]));
            } else {
                Files.createFile(to.resolve(parts[1]));
            }
        }
        return to;
    }
}
