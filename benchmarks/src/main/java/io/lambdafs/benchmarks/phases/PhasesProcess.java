package io.lambdafs.benchmarks.phases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.Target;
import io.lambdafs.cluster.LogTail;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.hammer.phases.Phase;
import io.lambdafs.hammer.phases.PhasesSettings;
import io.lambdafs.model.ErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Controls the measuring process of one file system through one interface. Confined to one thread. */
final class PhasesProcess implements AutoCloseable {
    /** The file system's own client. */
    static final String NATIVE = "native";

    static final String HADOOP = "hadoop";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int HEAP_MB = 768;
    private static final long END_SECONDS = 30;

    private final Target target;
    private final String api;
    private final Path log;
    private final Process process;
    private final PrintStream requests;
    private final BufferedReader answers;

    /**
     * Starts the process.
     *
     * @param api {@link #NATIVE}, if the target has a client of its own, or {@link #HADOOP}
     * @param log file for its standard error
     */
    PhasesProcess(Target target, String api, Path log) {
        this.target = target;
        this.api = api;
        this.log = log;
        try {
            process = new ProcessBuilder(target.command(PhasesMain.class, HEAP_MB))
                    .redirectError(log.toFile())
                    .start();
        } catch (IOException e) {
            throw broken("cannot be started: " + e);
        }
        requests = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
        ObjectNode first = JSON.createObjectNode();
        if (api.equals(NATIVE) && target.hasNative()) {
            first.put("client", String.valueOf(target.client()));
        } else {
            first.put("uri", target.uri().toString());
            target.configuration().forEach(first.putObject("conf")::put);
        }
        requests.println(first);
    }

    /** Waits until the process has opened the file system. */
    void await() {
        answer("ready");
    }

    Target target() {
        return target;
    }

    String api() {
        return api;
    }

    /** Runs an experiment. Nothing else should run meanwhile. */
    JsonNode run(PhasesSettings settings) {
        ObjectNode request = JSON.createObjectNode()
                .put("clients", settings.clients())
                .put("files", settings.files())
                .put("bytes", settings.bytes())
                .put("shared", settings.shared())
                .put("root", settings.root().toString())
                .put("remove", !target.passing());
        settings.phases().stream().map(Phase::label).forEach(request.putArray("phases")::add);
        requests.println(request);
        return answer("result");
    }

    private JsonNode answer(String event) {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw broken("has ended");
            }
            JsonNode answer = JSON.readTree(line);
            if (!answer.path("event").asText().equals(event)) {
                throw broken(answer.path("why").asText(line));
            }
            return answer;
        } catch (IOException e) {
            throw broken("said nothing that can be read: " + e);
        }
    }

    private CommandFailure broken(String why) {
        return new CommandFailure(
                ExitCode.FAILED,
                ErrorCode.UNAVAILABLE,
                "the measuring process of " + target.name() + " " + why + LogTail.of(log));
    }

    /** Ends the process. */
    @Override
    public void close() {
        requests.close();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
