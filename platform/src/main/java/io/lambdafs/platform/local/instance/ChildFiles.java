package io.lambdafs.platform.local.instance;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that record a gateway's child processes: {@code ID.pid} (process id and start time) and {@code ID.port}, in
 * a directory locked by one gateway. A killed gateway leaves them behind; the next one ends the processes that they
 * name. Thread-safe.
 */
final class ChildFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChildFiles.class);
    /** A process with another start time than recorded is a different one with a reused id. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(3);

    private static final long ORPHAN_LIMIT_SECONDS = 5;

    private final Path directory;
    private final FileChannel lock;

    private ChildFiles(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Locks the directory and ends the processes that an earlier gateway left behind.
     *
     * @throws IOException if another live gateway holds it
     */
    static ChildFiles open(Path directory) throws IOException {
        Files.createDirectories(directory);
        FileChannel channel = FileChannel.open(
                directory.resolve("gateway.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock held = channel.tryLock();
            if (held == null) {
                throw new IOException(directory + " is in use by another gateway");
            }
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw new IOException(directory + " is in use by another gateway of this process", e);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        ChildFiles files = new ChildFiles(directory, channel);
        files.endOrphans();
        return files;
    }

    Path portFile(String instanceId) {
        return directory.resolve(instanceId + ".port");
    }

    private Path pidFile(String instanceId) {
        return directory.resolve(instanceId + ".pid");
    }

    /** Records a process that has just started. */
    void note(String instanceId, ProcessHandle process) throws IOException {
        String started = process.info().startInstant().map(Instant::toString).orElse("");
        Path temporary = directory.resolve(instanceId + ".pid.new");
        Files.writeString(temporary, process.pid() + " " + started + "\n");
        Files.move(temporary, pidFile(instanceId), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns the port that an instance has written; empty until then. */
    Optional<Integer> port(String instanceId) throws IOException {
        Path file = portFile(instanceId);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String text = Files.readString(file).strip();
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port < 65_536) {
                return Optional.of(port);
            }
        } catch (NumberFormatException e) {
            LOG.debug("Port file {} holds no number", file, e);
        }
        throw new IOException(file + " holds no port");
    }

    /** Forgets an ended process. */
    void forget(String instanceId) throws IOException {
        Files.deleteIfExists(pidFile(instanceId));
        Files.deleteIfExists(portFile(instanceId));
    }

    private void endOrphans() throws IOException {
        List<ProcessHandle> orphans = new ArrayList<>();
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(directory, "*.{pid,port,new}")) {
            for (Path note : notes) {
                if (note.toString().endsWith(".pid")) {
                    noted(note).ifPresent(orphans::add);
                }
            }
        }
        for (ProcessHandle orphan : orphans) {
            LOG.info("Ending process {}, left behind by a gateway before", orphan.pid());
            orphan.destroyForcibly();
        }
        for (ProcessHandle orphan : orphans) {
            try {
                orphan.onExit().get(ORPHAN_LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while ending process " + orphan.pid(), e);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("process " + orphan.pid() + " of a gateway before does not end", e);
            }
        }
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(directory, "*.{pid,port,new}")) {
            for (Path note : notes) {
                Files.deleteIfExists(note);
            }
        }
    }

    /** Returns the recorded process if it is alive and still the same. */
    private static Optional<ProcessHandle> noted(Path note) throws IOException {
        String text = Files.readString(note).strip();
        int space = text.indexOf(' ');
        try {
            long pid = Long.parseLong(text.substring(0, Math.max(0, space)));
            Instant started = Instant.parse(text.substring(space + 1));
            return ProcessHandle.of(pid)
                    .filter(process -> process.info()
                            .startInstant()
                            .filter(now -> Duration.between(started, now).abs().compareTo(START_TOLERANCE) <= 0)
                            .isPresent());
        } catch (NumberFormatException | DateTimeParseException e) {
            LOG.warn("{} names no process: {}", note, e.getMessage());
            return Optional.empty();
        }
    }

    /** Removes log files of a directory, except the newest and those in use. */
    static void prune(Path logs, int keep, Predicate<Path> inUse) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(logs, "*.log{,.1}")) {
            all.forEach(files::add);
        }
        if (files.size() <= keep) {
            return;
        }
        files.sort(Comparator.comparing((Path file) -> file.toFile().lastModified()));
        for (Path old : files.subList(0, files.size() - keep)) {
            if (!inUse.test(old)) {
                Files.deleteIfExists(old);
            }
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
