package io.lambdafs.benchmarks.micro;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Processes of a peer, in one folder, where each has a log named after it. They end together. Thread-safe. */
final class Children implements AutoCloseable {
    private final Path folder;
    private final String suffix;
    private final Duration grace;
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private boolean closed;

    /**
     * None yet.
     *
     * @param suffix of the names of their logs
     * @param grace that each has to end in order; zero to kill it
     */
    Children(Path folder, String suffix, Duration grace) {
        this.folder = folder;
        this.suffix = suffix;
        this.grace = grace;
    }

    /** Starts one in the place of an earlier one of its name. Where all have been ended meanwhile, so is it. */
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

    Path log(String name) {
        return folder.resolve(name + suffix);
    }

    /** Those that have been started and not forgotten, by their names. */
    Map<String, Process> started() {
        synchronized (processes) {
            return new LinkedHashMap<>(processes);
        }
    }

    /** The same, as what is measured with the clients. */
    List<Servers.Server> servers() {
        return started().entrySet().stream()
                .map(each -> new Servers.Server(each.getKey(), each.getValue().toHandle()))
                .toList();
    }

    /** Of one that has ended by itself, as it should. */
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

    /** Ends them, and waits until they have. */
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
