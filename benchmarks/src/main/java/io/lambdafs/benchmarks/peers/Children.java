package io.lambdafs.benchmarks.peers;

import io.lambdafs.cluster.process.LogTail;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The processes of a peer, which end together; each has a log named after it in one folder. Thread-safe. */
public final class Children implements AutoCloseable {
    private static final long READY_SECONDS = 120;
    private static final long POLL_MILLIS = 100;

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

    /** Checks whether a peer serves. */
    @FunctionalInterface
    interface Ready {
        boolean isReady() throws IOException;
    }

    /**
     * Waits until a peer serves.
     *
     * @param name the process that answers
     * @param what the peer, as messages call it
     * @throws CommandFailure if a process ends, or the peer does not serve within {@value #READY_SECONDS} s
     */
    void await(String name, String what, Ready ready) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (!ready.isReady()) {
            Optional<String> ended = ended();
            if (ended.isPresent()) {
                throw failed(what + " does not answer: " + ended.get() + " has ended", ended.get());
            }
            if (System.nanoTime() - deadline > 0) {
                throw failed(what + " does not answer after " + READY_SECONDS + " s", name);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** Waits likewise until it accepts connections at a port of loopback. */
    void awaitPort(String name, String what, int port) throws IOException, InterruptedException {
        await(name, what, () -> accepts(port));
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /**
     * Returns a port of loopback that nothing listens at.
     *
     * @param what who is to listen, as messages call it
     */
    static int freePort(String what) {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw failed("cannot find a port for " + what + ": " + e);
        }
    }

    /**
     * Runs a program that ends by itself.
     *
     * @throws CommandFailure if it fails, or does not end within {@value #READY_SECONDS} s
     */
    void run(String name, String what, List<String> command) throws IOException, InterruptedException {
        Process process = start(name, command);
        if (!process.waitFor(READY_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw failed(what + " failed", name);
        }
        synchronized (processes) {
            processes.remove(name);
        }
    }

    private Optional<String> ended() {
        return started().entrySet().stream()
                .filter(each -> !each.getValue().isAlive())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private CommandFailure failed(String why, String name) {
        return failed(why + LogTail.of(log(name)));
    }

    /** Returns the failure of a peer, or of what measures it. */
    public static CommandFailure failed(String why) {
        return new CommandFailure(ExitCode.FAILED, ErrorCode.UNAVAILABLE, why);
    }

    Path log(String name) {
        return folder.resolve(name + suffix);
    }

    /** Returns the processes that serve, by name. */
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
