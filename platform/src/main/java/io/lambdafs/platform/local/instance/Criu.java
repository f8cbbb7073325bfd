package io.lambdafs.platform.local.instance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Snapshots by CRIU 4 or newer. An image keeps its process id, so each copy is restored in its own pid namespace, by
 * {@code unshare}, which ends it when it is ended itself. Thread-safe.
 */
public final class Criu implements SnapshotEngine {
    /** The environment variable that names the program if it is not on the path. */
    public static final String PROGRAM_VARIABLE = "LAMBDAFS_CRIU";

    private static final int LEAST_VERSION = 4;
    private static final int CAP_SYS_ADMIN = 21;
    private static final int CAP_CHECKPOINT_RESTORE = 40;
    private static final Pattern VERSION = Pattern.compile("Version: (\\d+)(\\S*)");
    private static final long LIMIT_SECONDS = 60;
    /**
     * A copy belongs to the session of what starts it, as other instances do: Linux divides the processors among
     * sessions first, so that one with a session of its own would get as much as the store, the gateway and all other
     * instances together.
     */
    private static final String OF_THIS_SESSION = "--shell-job";

    /** CRIU wants its own standard input and output for itself; a copy gets them by other numbers. */
    private static final String WITH_ITS_PIPES_AGAIN = "exec \"$@\" 3<&0 4>&1";

    private static final int FIRST_AGAIN = 3;
    /** The file beside the image with the names of its process's standard input and output. */
    private static final String PIPES = "pipes";

    private final String program;
    private final String version;

    private Criu(String program, String version) {
        this.program = program;
        this.version = version;
    }

    /** The result of a search: an engine, or else the reason why there is none. */
    public record Found(Optional<Criu> engine, String why) {
        private static Found none(String why) {
            return new Found(Optional.empty(), why);
        }
    }

    /** Looks for CRIU and for the rights it needs. */
    public static Found find(Map<String, String> environment) {
        Optional<Path> program = program(environment);
        if (program.isEmpty()) {
            return Found.none("CRIU is not installed");
        }
        if (!Capabilities.have(CAP_SYS_ADMIN) || !Capabilities.have(CAP_CHECKPOINT_RESTORE)) {
            return Found.none("CRIU needs root, or CAP_CHECKPOINT_RESTORE and CAP_SYS_ADMIN");
        }
        try {
            String path = program.get().toString();
            Matcher told = VERSION.matcher(run(List.of(path, "--version")));
            if (!told.find() || Integer.parseInt(told.group(1)) < LEAST_VERSION) {
                return Found.none(path + " is not CRIU " + LEAST_VERSION + " or newer");
            }
            run(List.of(path, "check"));
            return new Found(Optional.of(new Criu(path, told.group(1) + told.group(2))), "");
        } catch (IOException e) {
            return Found.none(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Found.none("interrupted");
        }
    }

    private static Optional<Path> program(Map<String, String> environment) {
        List<Path> places = new ArrayList<>();
        String named = environment.getOrDefault(PROGRAM_VARIABLE, "");
        if (!named.isEmpty()) {
            places.add(Path.of(named));
        }
        for (String folder : (environment.getOrDefault("PATH", "") + ":/usr/sbin:/usr/local/sbin").split(":")) {
            if (!folder.isEmpty()) {
                places.add(Path.of(folder, "criu"));
            }
        }
        return places.stream().filter(Files::isExecutable).findFirst();
    }

    @Override
    public String name() {
        return "CRIU " + version;
    }

    @Override
    public void take(Process process, Path image) throws IOException, InterruptedException {
        List<String> pipes = List.of(pipe(process, 0), pipe(process, 1));
        List<String> command = new ArrayList<>(List.of(
                program,
                "dump",
                "-t",
                Long.toString(process.pid()),
                "-D",
                image.toString(),
                OF_THIS_SESSION,
                "--manage-cgroups=ignore"));
        pipes.forEach(each -> command.addAll(List.of("--external", each)));
        run(command);
        Files.write(image.resolve(PIPES), pipes);
        process.waitFor();
    }

    private static String pipe(Process process, int number) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "fd", Integer.toString(number)))
                .toString();
    }

    @Override
    public Restored restore(Path image, Path output) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                WITH_ITS_PIPES_AGAIN,
                "sh",
                "unshare",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                program,
                "restore",
                "-D",
                image.toString(),
                "-v0",
                "-o",
                "/dev/null",
                OF_THIS_SESSION,
                "--manage-cgroups=ignore"));
        List<String> pipes = Files.readAllLines(image.resolve(PIPES));
        for (int i = 0; i < pipes.size(); i++) {
            command.addAll(List.of("--inherit-fd", "fd[" + (FIRST_AGAIN + i) + "]:" + pipes.get(i)));
        }
        Process holder = new ProcessBuilder(command)
                .directory(image.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
        return new Restored(holder, () -> self(holder));
    }

    /** Below unshare is CRIU, the first process of the namespace, and below that the copy. */
    private static ProcessHandle self(Process holder) {
        return holder.children().flatMap(ProcessHandle::children).findFirst().orElse(holder.toHandle());
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(command.get(0) + " " + command.get(1) + " failed: " + lastLine(told));
            }
            return told;
        } finally {
            process.destroyForcibly();
        }
    }

    private static String lastLine(String text) {
        String[] lines = text.strip().split("\n");
        return lines[lines.length - 1];
    }
}
