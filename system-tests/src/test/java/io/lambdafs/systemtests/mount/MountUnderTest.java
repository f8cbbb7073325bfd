package io.lambdafs.systemtests.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cli.Main;
import io.lambdafs.systemtests.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

/**
 * A mount of a cluster by {@code lambdafs mount}. Closing it kills its process, so that no program hangs on it, and leaves nothing
 * mounted. A test touches files in it by programs alone: one that hangs can then be ended by that.
 */
final class MountUnderTest implements AutoCloseable {
    private final Path cluster;
    private final Path directory;

    private MountUnderTest(Path cluster, Path directory) {
        this.cluster = cluster;
        this.directory = directory;
    }

    /** Returns why nothing can be mounted here; empty if it can. */
    static String obstacle() throws IOException {
        if (!Files.exists(Path.of("/dev/fuse"))) {
            return "there is no /dev/fuse";
        }
        if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            return "this is not root";
        }
        String status = Files.readString(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1);
        long rights = status.lines()
                .filter(line -> line.startsWith("CapEff:"))
                .mapToLong(line -> Long.parseUnsignedLong(
                        line.substring(line.indexOf(':') + 1).strip(), 16))
                .findFirst()
                .orElse(0);
        return (rights >> 21 & 1) == 1 ? "" : "root lacks CAP_SYS_ADMIN";
    }

    static MountUnderTest start(Path cluster, Path directory, String... options) throws Exception {
        Files.createDirectories(directory);
        MountUnderTest mount = new MountUnderTest(cluster, directory);
        try {
            CommandRun run = mount.lambdafs(Stream.concat(Stream.of(directory.toString()), Stream.of(options))
                    .toArray(String[]::new));
            assertThat(run.exit()).as(run.err()).isZero();
            return mount;
        } catch (Exception | AssertionError e) {
            mount.close();
            throw e;
        }
    }

    private CommandRun lambdafs(String... options) throws Exception {
        List<String> command =
                new ArrayList<>(CommandRun.java(System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of("mount", "--dir", cluster.toString()));
        command.addAll(List.of(options));
        return CommandRun.of(command);
    }

    Path directory() {
        return directory;
    }

    CommandRun stop() throws Exception {
        return lambdafs("--stop", directory.toString());
    }

    /** Runs a script of the shell in the directory; returns what it wrote to both streams. */
    CommandRun tried(String script) throws Exception {
        return CommandRun.of(List.of("/bin/bash", "-c", "cd \"$0\" && " + script, directory.toString()));
    }

    /** Runs a script of the shell in the directory, which must not fail; returns what it wrote. */
    String sh(String script) throws Exception {
        CommandRun run = tried("set -e; " + script);
        assertThat(run.exit()).as(script + "\n" + run.out() + run.err()).isZero();
        return run.out();
    }

    boolean isMounted() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .anyMatch(line -> line.split(" ")[1].equals(directory.toString()));
    }

    /** Returns the process that serves it. */
    ProcessHandle process() throws IOException {
        Path note = cluster.resolve("run/mount" + directory.toString().replace('/', '-') + ".pid");
        return ProcessHandle.of(Long.parseLong(Files.readString(note).strip())).orElseThrow();
    }

    @Override
    public void close() throws IOException {
        if (isMounted()) {
            new ProcessBuilder("umount", "-l", directory.toString())
                    .start()
                    .onExit()
                    .join();
        }
        try {
            process().destroyForcibly();
        } catch (NoSuchElementException | NoSuchFileException ended) {
            // It has ended by itself.
        }
    }
}
