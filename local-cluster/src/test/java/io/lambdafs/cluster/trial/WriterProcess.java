package io.lambdafs.cluster.trial;

import io.lambdafs.cluster.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process that writes a trial's files, killed and started anew, and what it has said of each. Thread-safe; one thread starts and kills it.
 */
final class WriterProcess implements AutoCloseable {
    private static final long LONGEST_SILENCE_SECONDS = 240;

    private final Path clientJson;
    private final Path log;
    private final int files;
    private final List<String> more;
    private final Map<Integer, Outcome> outcomes = new TreeMap<>();
    /** Files that may be begun: those before this one. */
    private int released;

    private long events;
    private boolean half;
    private @Nullable Process process;
    private @Nullable Thread reader;

    /** How the writing of a file went. */
    enum Ending {
        BEGUN,
        DONE,
        FAILED,
        /** Its writer was killed. */
        LOST
    }

    /** @param why of a failure; else empty */
    record Outcome(Ending ending, String why) {}

    /** @param more arguments of {@link TrialWriter} */
    WriterProcess(Path clientJson, Path log, int files, String... more) {
        this.clientJson = clientJson;
        this.log = log;
        this.files = files;
        this.more = List.of(more);
    }

    /** Starts it with those of the released files that nobody has begun. */
    synchronized void start() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                JavaCommand.java(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                JavaCommand.classPath(),
                TrialWriter.class.getName(),
                clientJson.toString()));
        command.addAll(more);
        Process started = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        process = started;
        send(0, started);
        Thread thread = new Thread(() -> read(started), "trial-writer");
        thread.setDaemon(true);
        thread.start();
        reader = thread;
    }

    private void send(int from, Process to) throws IOException {
        StringBuilder numbers = new StringBuilder();
        for (int i = from; i < released; i++) {
            if (!outcomes.containsKey(i)) {
                numbers.append(i).append('\n');
            }
        }
        to.getOutputStream().write(numbers.toString().getBytes(StandardCharsets.UTF_8));
        to.getOutputStream().flush();
    }

    /** Has it write some more files. */
    synchronized void release(int more) throws IOException {
        int before = released;
        released = Math.min(files, released + more);
        if (process != null) {
            send(before, process);
        }
    }

    private void read(Process from) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", 3);
                if (words.length == 3) {
                    heard(words[0], Integer.parseInt(words[1]), words[2]);
                }
            }
        } catch (IOException ended) {
            // What it had not said then counts as unsaid.
        }
    }

    private synchronized void heard(String what, int file, String why) {
        events++;
        switch (what) {
            case "begun" -> outcomes.put(file, new Outcome(Ending.BEGUN, ""));
            case "done" -> outcomes.put(file, new Outcome(Ending.DONE, ""));
            case "failed" -> outcomes.put(file, new Outcome(Ending.FAILED, why));
            case "half" -> half = true;
            default -> {}
        }
        notifyAll();
    }

    /** Waits until it has said so many lines more, or has ended all released files; returns whether there are more. */
    synchronized boolean awaitMore(int lines) throws InterruptedException {
        long until = events + lines;
        while (events < until && !isOver()) {
            long before = events;
            TimeUnit.SECONDS.timedWait(this, LONGEST_SILENCE_SECONDS);
            if (events == before && !isOver()) {
                throw new AssertionError("nothing was written for " + LONGEST_SILENCE_SECONDS + " s: " + outcomes);
            }
        }
        return !isOver() || released < files;
    }

    private boolean isOver() {
        return outcomes.size() == released
                && outcomes.values().stream().noneMatch(each -> each.ending() == Ending.BEGUN);
    }

    /** Ends it by SIGKILL; what it was writing is lost. */
    void kill() throws Exception {
        Process running = process;
        Thread listening = reader;
        if (running == null || listening == null) {
            return;
        }
        running.destroyForcibly();
        running.onExit().get();
        listening.join(30_000);
        synchronized (this) {
            outcomes.replaceAll(
                    (file, outcome) -> outcome.ending() == Ending.BEGUN ? new Outcome(Ending.LOST, "") : outcome);
            notifyAll();
        }
    }

    /** Stops it (SIGSTOP), or lets it go on (SIGCONT). */
    void freeze(boolean stop) throws Exception {
        Process running = process;
        if (running != null) {
            Killer.signal(stop ? "STOP" : "CONT", running.pid());
        }
    }

    /** Waits until a file is half written. */
    synchronized void awaitHalf() throws InterruptedException {
        while (!half) {
            long before = events;
            TimeUnit.SECONDS.timedWait(this, LONGEST_SILENCE_SECONDS);
            if (events == before) {
                throw new AssertionError("nothing was written for " + LONGEST_SILENCE_SECONDS + " s: " + outcomes);
            }
        }
    }

    /** How each file went that was begun. */
    synchronized Map<Integer, Outcome> outcomes() {
        return new TreeMap<>(outcomes);
    }

    synchronized List<String> failures() {
        List<String> all = new ArrayList<>();
        outcomes.forEach((file, outcome) -> {
            if (outcome.ending() == Ending.FAILED) {
                all.add(file + ": " + outcome.why());
            }
        });
        return all;
    }

    @Override
    public void close() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }
}
