package io.lambdafs.benchmarks.micro.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a measuring process does. The first line of its input says what to measure; each further line is a request, answered by one line.
 * It ends with its input: at once, where that ends in the middle of a request. Stateless.
 */
public final class Answering {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Answering() {}

    /** Answers requests. */
    public interface Measurement {
        /** Returns the answer to a request. */
        ObjectNode measure(JsonNode request) throws IOException, InterruptedException;

        /** Cleans up after the last request. */
        default void end() throws IOException {}
    }

    /** Prepares a measurement. */
    @FunctionalInterface
    public interface Start {
        /** @param say writes a line besides the answers */
        Measurement of(JsonNode target, Consumer<ObjectNode> say) throws IOException, InterruptedException;
    }

    /** Answers until the input ends, then ends the process: with 1 where the measurement broke, and says why. */
    public static void run(Start start) throws InterruptedException {
        PrintStream answers = System.out;
        // What libraries print must not be taken for an answer.
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

    /** Writes a line. Where the reader's end is gone, so is what this process is for. */
    private static void say(PrintStream answers, ObjectNode line) {
        answers.println(line);
        if (answers.checkError()) {
            System.exit(1);
        }
    }
}
