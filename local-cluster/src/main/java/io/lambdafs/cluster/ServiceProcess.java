package io.lambdafs.cluster;

import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * One service of a cluster: its process, found by the pid and start time that were noted when it was started, and its port. A note whose
 * process has gone, or whose pid belongs to another process now, is stale and names nobody. Confined to the thread that holds the
 * cluster's lock, but for reading.
 */
final class ServiceProcess {
    private static final Duration START_TOLERANCE = Duration.ofMillis(50);
    private static final Duration KILL_WAIT = Duration.ofSeconds(5);
    private static final long POLL_MILLIS = 20;

    private final ClusterDirectory directory;
    private final Service service;

    ServiceProcess(ClusterDirectory directory, Service service) {
        this.directory = directory;
        this.service = service;
    }

    Service service() {
        return service;
    }

    /** The live process. One that has ended and that nobody has waited for is not alive, although the system still lists it. */
    Optional<ProcessHandle> find() {
        String note;
        try {
            note = Files.readString(directory.pid(service.label())).strip();
        } catch (IOException e) {
            return Optional.empty();
        }
        int space = note.indexOf(' ');
        try {
            long pid = Long.parseLong(note.substring(0, Math.max(0, space)));
            Instant started = Instant.parse(note.substring(space + 1));
            return ProcessHandle.of(pid).filter(process -> isSame(process.info(), started));
        } catch (NumberFormatException | DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static boolean isSame(ProcessHandle.Info now, Instant started) {
        return now.command().isPresent()
                && now.startInstant()
                        .filter(at -> Duration.between(started, at).abs().compareTo(START_TOLERANCE) <= 0)
                        .isPresent();
    }

    /** Whether a process was noted, alive or not. */
    boolean isNoted() {
        return Files.exists(directory.pid(service.label()));
    }

    /** The port that it listens on, once it does; the last one where it has ended. */
    OptionalInt port() {
        return port(service.label());
    }

    OptionalInt port(String name) {
        try {
            int port = Integer.parseInt(Files.readString(directory.port(name)).strip());
            return port > 0 && port < 65_536 ? OptionalInt.of(port) : OptionalInt.empty();
        } catch (IOException | NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    /** Starts it, detached from this process and its terminal. */
    void start(ClusterSettings settings) {
        List<String> command = new ArrayList<>();
        // Ctrl-C in the terminal, and its closing, are for the command alone: what is ignored here stays so in the JVM.
        command.addAll(List.of("/bin/sh", "-c", "trap '' INT HUP; exec \"$@\"", "lambdafs-" + service.label()));
        command.addAll(JavaCommand.service(service, settings));
        command.add(directory.configuration(service.label()).toString());
        Path log = directory.log(service.label());
        try {
            Files.deleteIfExists(directory.port(service.label()));
            if (Files.exists(log)) {
                Files.move(log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            }
            Process process = new ProcessBuilder(command)
                    .directory(directory.root().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start();
            note(process.toHandle());
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot start " + service.label() + " in " + directory, e);
        }
    }

    private void note(ProcessHandle process) throws IOException {
        Path file = directory.pid(service.label());
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        String started = process.info().startInstant().map(Instant::toString).orElse("");
        Files.writeString(draft, process.pid() + " " + started + "\n");
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Asks it to end; returns at once. */
    void terminate() {
        find().ifPresent(ProcessHandle::destroy);
    }

    /**
     * Waits for the end of a process that was asked to, and ends it by force after the grace.
     *
     * @return false where force was needed
     */
    boolean awaitEnd(Duration grace) {
        boolean inOrder = ends(grace);
        if (!inOrder) {
            find().ifPresent(ProcessHandle::destroyForcibly);
            if (!ends(KILL_WAIT)) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        ErrorCode.UNAVAILABLE,
                        service.label() + " does not end, not even by force; its process is noted in "
                                + directory.pid(service.label()));
            }
        }
        forget();
        return inOrder;
    }

    private boolean ends(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (find().isPresent()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /** Removes the note of a process that has ended. */
    void forget() {
        try {
            Files.deleteIfExists(directory.pid(service.label()));
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot remove the note of " + service.label() + " in " + directory, e);
        }
    }

    /** The end of its log: what it said before it ended. */
    String lastWords() {
        try {
            return LogTail.lines(directory.log(service.label()));
        } catch (NoSuchFileException e) {
            return "(it left no log)";
        } catch (IOException e) {
            return "(its log cannot be read: " + e + ")";
        }
    }
}
