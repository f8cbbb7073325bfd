package io.lambdafs.benchmarks.micro.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The main loop of a measuring process. The first line of its input says what to measure; each further line is a
 * request, answered by one line. The process ends with its input, even in the middle of a request. Stateless.
 */
public final class Answering {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Answering() {}

    /** Answers requests. */
    public interface Measurement {
        /** Answers a request. */
        ObjectNode measure(JsonNode request) throws IOException, InterruptedException;

        /** Cleans up after the last request. */
        default void end() throws IOException {}
    }

    /** Prepares a measurement. */
    @FunctionalInterface
    public interface Start {
        /** @param say writes a line other than the answers */
        Measurement of(JsonNode target, Consumer<ObjectNode> say) throws IOException, InterruptedException;
    }

    /** Answers until the input ends, then ends the process; if the measurement breaks, says why and ends it with 1. */
    public static void run(Start start) throws InterruptedException {
        PrintStream answers = System.out;
        // Output of libraries must not pass for an answer.
        System.setOut(System.err);
        Requests requests = new Requests(System.in, () -> Runtime.getRuntime().halt(1));
        Optional<String> first = requests.next();
        if (first.isEmpty()) {
            return;
        }
        try {
            Measurement measurement = start.of(JSON.readTree(first.get()), line -> say(answers, line));
            ObjectNode answer = JSON.createObjectNode().put("event", "ready");
            Optional<String> next;
            do {
                requests.done();
                say(answers, answer);
                next = requests.next();
                if (next.isPresent()) {
                    answer = measurement.measure(JSON.readTree(next.get()));
                }
            } while (next.isPresent());
            measurement.end();
            System.exit(0);
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
            answers.println(JSON.createObjectNode().put("event", "broken").put("why", e.toString()));
            answers.flush();
            System.exit(1);
        }
    }

    /** Writes a line. Without a reader this process has no purpose. */
    private static void say(PrintStream answers, ObjectNode line) {
        answers.println(line);
        if (answers.checkError()) {
            System.exit(1);
        }
    }
}
