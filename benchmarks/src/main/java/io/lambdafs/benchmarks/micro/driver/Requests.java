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
 * The lines of the other process, read ahead by a thread of its own, so that its end is noticed while one of them is worked on: nobody
 * waits for the answer then. The other process sends one at a time. Thread-safe.
 */
final class Requests {
    private final InputStream input;
    private final Runnable abandoned;
    private final Queue<String> lines = new ArrayDeque<>();
    private boolean working;
    private boolean ended;

    /** @param abandoned called at most once, when the input ends while a line is worked on */
    Requests(InputStream input, Runnable abandoned) {
        this.input = input;
        this.abandoned = abandoned;
        Thread reader = new Thread(this::read, "requests");
        reader.setDaemon(true);
        reader.start();
    }

    /** Returns the next line, which is worked on from now until {@link #done}; empty at the end. */
    synchronized Optional<String> next() throws InterruptedException {
        while (lines.isEmpty() && !ended) {
            wait();
        }
        Optional<String> line = Optional.ofNullable(lines.poll());
        working = line.isPresent();
        return line;
    }

    /** Call it before answering the line: the other process may end the input as soon as it has the answer. */
    synchronized void done() {
        working = false;
    }

    private void read() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                add(line);
            }
        } catch (IOException broken) {
            // As good as its end.
        }
        if (end()) {
            abandoned.run();
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }

    /** Whether a line is worked on, or waits for it. */
    private synchronized boolean end() {
        ended = true;
        notifyAll();
        return working || !lines.isEmpty();
    }
}
