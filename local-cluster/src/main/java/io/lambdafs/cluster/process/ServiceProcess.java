package io.lambdafs.cluster.process;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.ServiceMain;
import java.io.IOException;
import java.io.OutputStream;
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
 * A service's process, identified by the pid and start time recorded at its start, and its port. A record whose process
 * is gone, or whose pid has been reused, is stale. Confined to the thread that holds the cluster's lock, except for
 * reading.
 */
public final class ServiceProcess {
    private static final Duration START_TOLERANCE = Duration.ofMillis(50);
    private static final Duration KILL_WAIT = Duration.ofSeconds(5);
    private static final long POLL_MILLIS = 20;

    private final ClusterDirectory directory;
    private final Service service;

    public ServiceProcess(ClusterDirectory directory, Service service) {
        this.directory = directory;
        this.service = service;
    }

    public Service service() {
        return service;
    }

    /** Returns the live process. A zombie does not count, although the system still lists it. */
    public Optional<ProcessHandle> find() {
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

    /** Returns whether a process is recorded, alive or not. */
    public boolean isNoted() {
        return Files.exists(directory.pid(service.label()));
    }

    /** Returns its port once it listens; the last one if it has ended. */
    public OptionalInt port() {
        return port(service.label());
    }

    public OptionalInt port(String name) {
        return ServiceMain.readPort(directory.port(name));
    }

    /**
     * Starts the service, detached from this process and its terminal; it does nothing until its pid is on disk, so
     * that none runs unrecorded.
     */
    public void start(ClusterSettings settings) {
        find().ifPresent(process -> {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    ErrorCode.NOT_ALLOWED,
                    service.label() + " runs already, as process " + process.pid() + ": stop the cluster in "
                            + directory);
        });
        List<String> command = new ArrayList<>();
        // Ctrl-C and hang-up concern only the command: signals ignored here stay ignored in the JVM.
        command.addAll(List.of(
                "/bin/sh",
                "-c",
                "trap '' INT HUP; read -r noted && exec \"$@\" < /dev/null",
                "lambdafs-" + service.label()));
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
                    .start();
            note(process.toHandle());
            try (OutputStream go = process.getOutputStream()) {
                go.write('\n');
            }
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

    /** Asks the process to end; returns at once. */
    void terminate() {
        find().ifPresent(ProcessHandle::destroy);
    }

    /**
     * Waits for a terminating process, and kills it after the grace period.
     *
     * @return false if it had to be killed
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

    /** Removes the record of an ended process. */
    public void forget() {
        try {
            Files.deleteIfExists(directory.pid(service.label()));
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot remove the note of " + service.label() + " in " + directory, e);
        }
    }

    /** Returns the end of its log. */
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
