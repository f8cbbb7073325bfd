package io.lambdafs.benchmarks.micro;

import io.lambdafs.cluster.LogTail;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The processes of a peer, which end together; each has a log named after it in one folder. Thread-safe. */
final class Children implements AutoCloseable {
    private static final long READY_SECONDS = 60;
    private static final long POLL_MILLIS = 50;

    private final Path folder;
    private final String suffix;
    private final Duration grace;
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private boolean closed;

    /**
     * Creates an empty group.
     *
     * @param suffix suffix of log names
     * @param grace time of each process to end in order; zero to kill at once
     */
    Children(Path folder, String suffix, Duration grace) {
        this.folder = folder;
        this.suffix = suffix;
        this.grace = grace;
    }

    /** Starts a process, replacing an earlier one of its name. If all have been ended meanwhile, it is ended too. */
    Process start(String name, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()))
                .start();
        synchronized (processes) {
            processes.put(name, process);
            if (closed) {
                end(process);
            }
        }
        return process;
    }

    /** Whether a peer serves. */
    @FunctionalInterface
    interface Ready {
        boolean isReady() throws IOException;
    }

    /**
     * Waits until a peer serves.
     *
     * @param what the peer, as messages call it
     * @throws CommandFailure if its process ends, or it does not serve within {@value #READY_SECONDS} s
     */
    void await(String name, String what, Ready ready) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (!ready.isReady()) {
            Process process = started().get(name);
            if (process == null || !process.isAlive() || System.nanoTime() - deadline > 0) {
                throw new CommandFailure(
                        ExitCode.FAILED, ErrorCode.UNAVAILABLE, what + " does not answer" + LogTail.of(log(name)));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    Path log(String name) {
        return folder.resolve(name + suffix);
    }

    /** Returns the processes started and not forgotten, by name. */
    Map<String, Process> started() {
        synchronized (processes) {
            return new LinkedHashMap<>(processes);
        }
    }

    /** Returns the same processes as the servers to measure. */
    List<Servers.Server> servers() {
        return started().entrySet().stream()
                .map(each -> new Servers.Server(each.getKey(), each.getValue().toHandle()))
                .toList();
    }

    /** Forgets a process that has ended by itself, as it should. */
    void forget(String name) {
        synchronized (processes) {
            processes.remove(name);
        }
    }

    private void end(Process process) {
        if (grace.isZero()) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
    }

    /** Ends all processes and waits for their ends. */
    @Override
    public void close() {
        synchronized (processes) {
            closed = true;
        }
        started().values().forEach(this::end);
        for (Process each : started().values()) {
            try {
                if (!grace.isZero() && !each.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                    each.destroyForcibly();
                }
                each.waitFor();
            } catch (InterruptedException e) {
                each.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
