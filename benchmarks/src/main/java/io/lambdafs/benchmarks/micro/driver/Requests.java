package io.lambdafs.benchmarks.micro.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * The request lines of the other process. A thread reads them ahead to notice the end of input while a request is
 * processed: no one waits for its answer then. The other process sends one at a time. Thread-safe.
 */
final class Requests {
    private final InputStream input;
    private final Runnable abandoned;
    private final Queue<String> lines = new ArrayDeque<>();
    private boolean working;
    private boolean ended;

    /** @param abandoned called at most once, if the input ends while a line is processed */
    Requests(InputStream input, Runnable abandoned) {
        this.input = input;
        this.abandoned = abandoned;
        Thread reader = new Thread(this::read, "requests");
        reader.setDaemon(true);
        reader.start();
    }

    /** Returns the next line, which counts as in process until {@link #done}; empty at the end. */
    synchronized Optional<String> next() throws InterruptedException {
        while (lines.isEmpty() && !ended) {
            wait();
        }
        Optional<String> line = Optional.ofNullable(lines.poll());
        working = line.isPresent();
        return line;
    }

    /**
     * Marks the line as done. Call it before answering: the other process may end the input as soon as it has the
     * answer.
     */
    synchronized void done() {
        working = false;
    }

    private void read() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                add(line);
            }
        } catch (IOException broken) {
            // Same as the end of input.
        }
        if (end()) {
            abandoned.run();
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }

    /** Ends the input and returns whether a line is in process or waiting. */
    private synchronized boolean end() {
        ended = true;
        notifyAll();
        return working || !lines.isEmpty();
    }
}
