package io.lambdafs.benchmarks.micro;

import io.lambdafs.benchmarks.micro.driver.FilesMain;
import io.lambdafs.benchmarks.peers.Children;
import io.lambdafs.benchmarks.peers.Target;
import io.lambdafs.cluster.process.LogTail;
import io.lambdafs.cluster.terminal.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Writes and reads content on each file system in turns, each turn in a separate process; every round starts with
 * another file system. Confined to one thread.
 */
final class FilesBench {
    private static final int HEAP_MB = 768;
    private static final long LIMIT_MINUTES = 20;

    private final Settings settings;
    private final Console console;

    /**
     * The parameters of the bench.
     *
     * @param megabytes size of the large file
     * @param small number of small files of each size
     * @param kilobytes sizes of small files
     * @param threads threads that write and read the small files
     * @param turnSeconds that writing those of one size may take; a slower file system gets fewer; 0 for any
     */
    record Settings(int megabytes, int small, List<Integer> kilobytes, int threads, int rounds, long turnSeconds) {
        Settings {
            kilobytes = List.copyOf(kilobytes);
        }
    }

    FilesBench(Settings settings, Console console) {
        this.settings = settings;
        this.console = console;
    }

    /** Returns the rates of each round, bytes or files per second, by phase and then by file system. */
    Map<String, Map<String, List<Double>>> run(List<Target> targets, Path folder) throws InterruptedException {
        Map<String, Map<String, List<Double>>> rates = new LinkedHashMap<>();
        for (int round = 0; round < settings.rounds(); round++) {
            List<Target> turns = new ArrayList<>(targets);
            Collections.rotate(turns, round);
            for (Target target : turns) {
                console.progress("  round " + (round + 1) + " of " + settings.rounds() + ": " + target.name());
                turn(target, folder.resolve("files-" + round + "-" + targets.indexOf(target) + ".log"), round)
                        .forEach((phase, rate) -> rates.computeIfAbsent(phase, each -> new LinkedHashMap<>())
                                .computeIfAbsent(target.name(), each -> new ArrayList<>())
                                .add(rate));
            }
        }
        return rates;
    }

    private Map<String, Double> turn(Target target, Path log, int round) throws InterruptedException {
        List<String> command = target.command(FilesMain.class, HEAP_MB);
        command.addAll(List.of(
                target.uri().toString(),
                target.root("bench-files-" + round),
                Integer.toString(settings.megabytes()),
                Integer.toString(settings.small()),
                Integer.toString(settings.threads()),
                settings.kilobytes().stream().map(String::valueOf).collect(Collectors.joining(",")),
                Long.toString(settings.turnSeconds())));
        target.configuration().forEach((name, value) -> command.add(name + "=" + value));
        Path output = log.resolveSibling(log.getFileName() + ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(log.toFile())
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
            if (process.waitFor() != 0) {
                throw Children.failed("the process that writes to " + target.name() + " has failed" + LogTail.of(log));
            }
            Map<String, Double> rates = new LinkedHashMap<>();
            for (String line : Files.readAllLines(output)) {
                String[] words = line.split(" ", -1);
                rates.put(words[0], Long.parseLong(words[1]) * 1e9 / Long.parseLong(words[2]));
            }
            return rates;
        } catch (IOException e) {
            throw Children.failed("cannot run the process that writes to " + target.name() + ": " + e);
        }
    }
}
