package io.lambdafs.benchmarks.against;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A build of λFS and its cluster, reached through its own launcher alone. Confined to one thread, except {@link #stop}.
 */
final class Build {
    private static final long LIMIT_MINUTES = 15;
    private static final int MOST_LINES = 5;

    private final Path launcher;
    private final Path folder;
    private final Path cluster;
    private volatile @Nullable Process running;

    /**
     * Creates a build whose cluster is not started.
     *
     * @param folder for its cluster and its output
     */
    Build(Path launcher, Path folder) {
        this.launcher = launcher;
        this.folder = folder;
        this.cluster = folder.resolve("cluster");
    }

    /** Builds missing parts and starts the cluster. */
    void start(Path settings) throws InterruptedException {
        run(List.of("cluster", "start", "--dir", cluster.toString(), "--conf", settings.toString()));
    }

    /** Ends the command that is under way, and stops the cluster, if it was started. */
    void stop() throws InterruptedException {
        Process process = running;
        if (process != null) {
            process.destroy();
        }
        if (Files.isDirectory(cluster)) {
            run(List.of("cluster", "stop", "--dir", cluster.toString()));
        }
    }

    /** Measures one operation in a separate process and returns the only element of {@code results}. */
    JsonNode measure(List<String> options) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("bench", "micro", "--dir", cluster.toString(), "--json"));
        arguments.addAll(options);
        String printed = run(arguments);
        try {
            JsonNode results = new ObjectMapper().readTree(printed).path("results");
            if (results.size() == 1) {
                return results.get(0);
            }
        } catch (IOException e) {
            throw failure("bench micro printed no JSON: " + e.getMessage());
        }
        throw failure("bench micro printed no single result");
    }

    private String run(List<String> arguments) throws InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(launcher.toString());
        command.addAll(arguments);
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            running = process;
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                process.destroy();
                throw failure(String.join(" ", arguments) + " did not end within " + LIMIT_MINUTES + " min");
            }
            if (process.exitValue() != 0) {
                throw failure(String.join(" ", arguments) + " ended with " + process.exitValue() + ": " + lastOf(err));
            }
            return Files.readString(out, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw failure("cannot be run: " + e.getMessage());
        }
    }

    private static String lastOf(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size()));
    }

    private CommandFailure failure(String why) {
        return new CommandFailure(ExitCode.FAILED, ErrorCode.INTERNAL, launcher + ": " + why);
    }
}
