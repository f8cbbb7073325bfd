package io.lambdafs.systemtests;

import io.lambdafs.cli.Main;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A program that was run as a process of its own: its exit code and what it wrote. */
public record CommandRun(int exit, String out, String err) {

    /** Runs {@code lambdafs}. */
    static CommandRun lambdafs(Object... arguments) throws Exception {
        return lambdafs(List.of(), arguments);
    }

    /** Runs {@code lambdafs} by way of another command. */
    static CommandRun lambdafs(List<String> by, Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(by);
        command.addAll(lambdafsCommand(arguments));
        return of(command);
    }

    /** The words that run {@code lambdafs}. */
    static List<String> lambdafsCommand(Object... arguments) {
        List<String> command = new ArrayList<>(java(System.getProperty("java.class.path"), Main.class.getName()));
        Arrays.stream(arguments).map(Object::toString).forEach(command::add);
        return command;
    }

    /** The JDK of this process, and few threads for a short life. */
    public static List<String> java(String classPath, String mainClass) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath,
                mainClass);
    }

    public static CommandRun of(List<String> command) throws Exception {
        Path out = Files.createTempFile("out", "");
        Path err = Files.createTempFile("err", "");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            return new CommandRun(
                    exit(process),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** Ends it, in order, where the test is interrupted. */
    private static int exit(Process process) throws InterruptedException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            throw e;
        }
    }
}
