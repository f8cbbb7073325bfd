package io.lambdafs.hammer.measure;

import io.lambdafs.cluster.process.LogTail;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A process that measures and prints a line for each result. Confined to one thread. */
public final class MeasuringProcess {
    private final String name;
    private final Path log;

    /**
     * Creates a process without starting it.
     *
     * @param name in messages
     * @param log file for its standard error
     */
    public MeasuringProcess(String name, Path log) {
        this.name = name;
        this.log = log;
    }

    /**
     * Runs it to its end.
     *
     * @param lines receives each line that it prints
     * @throws CommandFailure if it cannot be started, or ends with an exit code other than 0
     */
    public void run(List<String> command, Consumer<String> lines) throws InterruptedException {
        try {
            Files.createDirectories(log.getParent());
            Process process =
                    new ProcessBuilder(command).redirectError(log.toFile()).start();
            try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    lines.accept(line);
                }
                int exit = process.waitFor();
                if (exit != 0) {
                    throw failure("has ended with exit code " + exit + LogTail.of(log));
                }
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw failure("cannot be started, or read: " + e);
        }
    }

    /** Describes an error of the process. */
    public CommandFailure failure(String why) {
        return new CommandFailure(ExitCode.FAILED, ErrorCode.UNAVAILABLE, "the " + name + " process " + why);
    }
}
