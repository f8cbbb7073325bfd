package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.peers.Target;
import io.lambdafs.cluster.process.LogTail;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The measuring process of one file system, which is asked and answers by lines of JSON. Confined to one thread. */
public final class Dialogue implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long ANSWER_LIMIT_MINUTES = 240;
    private static final long END_LIMIT_SECONDS = 120;
    private static final int MOST_ANSWERS = 1_000;
    private static final String END_OF_OUTPUT = "";

    private final Target target;
    private final Path log;
    private final Process process;
    private final PrintStream requests;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>(MOST_ANSWERS);

    /**
     * Starts the process.
     *
     * @param log file for its standard error
     */
    public Dialogue(Target target, Class<?> main, int heapMb, Path log) {
        this.target = target;
        this.log = log;
        try {
            process = new ProcessBuilder(target.command(main, heapMb))
                    .redirectError(log.toFile())
                    .start();
        } catch (IOException e) {
            throw broken("cannot be started: " + e);
        }
        requests = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "answers-of-" + target.name());
        reader.setDaemon(true);
        reader.start();
    }

    public Target target() {
        return target;
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    /** Sends a request. */
    public void ask(ObjectNode request) {
        requests.println(request);
    }

    /** Waits for the next answer, which must be of this kind. */
    public JsonNode await(String event) throws InterruptedException {
        String line = answers.poll(ANSWER_LIMIT_MINUTES, TimeUnit.MINUTES);
        if (line == null) {
            throw broken("has not answered for " + ANSWER_LIMIT_MINUTES + " minutes");
        }
        if (line.equals(END_OF_OUTPUT)) {
            throw broken("has ended");
        }
        try {
            JsonNode answer = JSON.readTree(line);
            if (answer.path("event").asText().equals(event)) {
                return answer;
            }
            throw broken(answer.path("why").asText(line));
        } catch (JsonProcessingException e) {
            throw broken("said " + line);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                answers.put(line);
            }
            answers.put(END_OF_OUTPUT);
        } catch (IOException e) {
            boolean unused = answers.offer(END_OF_OUTPUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CommandFailure broken(String why) {
        return new CommandFailure(
                ExitCode.FAILED,
                ErrorCode.UNAVAILABLE,
                "the measuring process of " + target.name() + ": " + why + LogTail.of(log));
    }

    /** Ends the process after it has cleaned up. */
    @Override
    public void close() {
        requests.close();
        try {
            if (!process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
