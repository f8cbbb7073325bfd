package io.lambdafs.cli.sharing;

import io.lambdafs.cli.CommandFailure;
import io.lambdafs.cli.Console;
import io.lambdafs.cli.ExitCode;
import io.lambdafs.cli.Folders;
import io.lambdafs.cli.Pipeline;
import io.lambdafs.cli.cluster.JavaCommand;
import io.lambdafs.cli.cluster.LocalCluster;
import io.lambdafs.cli.cluster.LogTail;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.ClientConfig.SharingUse;
import io.lambdafs.client.ClientConfigBuilder;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Operation;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Starts processes that make some stats each, in turns without and with sharing, beside one that holds connections. Confined to one thread. */
final class SharingBench {
    static final int FILES = 1_024;
    private static final int FILES_PER_DIRECTORY = 16;
    private static final long BLOCK_SIZE = 128L << 20;

    private final Settings settings;
    private final LocalCluster cluster;
    private final Console console;

    /**
     * What is measured.
     *
     * @param processes of a turn, 1–10,000
     * @param parallel of them at a time, 1–256
     * @param operations that each makes, 1–1,000,000
     * @param rounds turns without and with sharing, 1–1,000
     */
    record Settings(int processes, int parallel, int operations, int rounds) {
        Settings {
            check(processes >= 1 && processes <= 10_000, "--processes is 1..10000, not " + processes);
            check(parallel >= 1 && parallel <= 256, "--parallel is 1..256, not " + parallel);
            check(operations >= 1 && operations <= 1_000_000, "--operations is 1..1000000, not " + operations);
            check(rounds >= 1 && rounds <= 1_000, "--rounds is 1..1000, not " + rounds);
        }

        private static void check(boolean holds, String message) {
            if (!holds) {
                throw new FsException(ErrorCode.INVALID_ARGUMENT, message);
            }
        }
    }

    /** What came out: all processes of all turns, without sharing and with it. */
    record Result(List<Task> without, List<Task> with) {
        Result {
            without = List.copyOf(without);
            with = List.copyOf(with);
        }
    }

    private record Started(Process process, long atNanos) {}

    SharingBench(Settings settings, LocalCluster cluster, Console console) {
        this.settings = settings;
        this.cluster = cluster;
        this.console = console;
    }

    static FsPath file(int number) {
        return FsPath.of("/bench-sharing/d" + number / FILES_PER_DIRECTORY + "/f" + number);
    }

    Result run() throws InterruptedException {
        Path meeting;
        try {
            // Short, for the path of a socket is.
            meeting = Files.createTempDirectory("lfs-share-");
        } catch (IOException e) {
            throw broken("cannot meet: " + e);
        }
        try (LambdaFs holder = open(meeting)) {
            FsPath root = FsPath.of("/bench-sharing");
            try {
                prepare(holder);
                return turns(meeting);
            } finally {
                BlockingLambdaFs.await(holder.execute(new Operation.Delete(root, true)));
            }
        } finally {
            Folders.remove(meeting, console);
        }
    }

    private LambdaFs open(Path meeting) {
        ClientConfigBuilder builder =
                ClientConfigBuilder.load(cluster.directory().client()).sharing(new SharingUse(true, meeting));
        return LambdaFs.open(builder.build());
    }

    /** Makes the files, and has all that instances cache of them cached. */
    private static void prepare(LambdaFs holder) throws InterruptedException {
        BlockingLambdaFs.await(holder.warmUp());
        Pipeline files = new Pipeline(holder);
        for (int i = 0; i < FILES; i++) {
            files.start(new Operation.Create(file(i), 0644, true, true, 1, BLOCK_SIZE, new byte[0], null));
        }
        files.finish();
        for (int i = 0; i < FILES; i++) {
            files.start(new Operation.Stat(file(i)));
        }
        files.finish();
    }

    private Result turns(Path meeting) throws InterruptedException {
        List<Task> without = new ArrayList<>();
        List<Task> with = new ArrayList<>();
        // Not counted: what instances compile, and files of this program that the machine has not read yet.
        turn("-", 0);
        turn(meeting.toString(), 0);
        for (int round = 1; round <= settings.rounds(); round++) {
            boolean withFirst = round % 2 == 0;
            if (withFirst) {
                with.addAll(turn(meeting.toString(), round));
            }
            without.addAll(turn("-", round));
            if (!withFirst) {
                with.addAll(turn(meeting.toString(), round));
            }
            console.progress(String.format(Locale.ROOT, "round %d of %d", round, settings.rounds()));
        }
        return new Result(without, with);
    }

    private List<Task> turn(String meeting, int round) throws InterruptedException {
        List<Task> tasks = new ArrayList<>();
        List<Started> running = new ArrayList<>();
        try {
            for (int i = 0; i < settings.processes(); i++) {
                if (running.size() == settings.parallel()) {
                    tasks.add(ended(running.remove(0)));
                }
                running.add(start(meeting, round * 100_000L + i));
            }
            while (!running.isEmpty()) {
                tasks.add(ended(running.remove(0)));
            }
            return tasks;
        } finally {
            running.forEach(each -> each.process().destroyForcibly());
        }
    }

    private Started start(String meeting, long seed) {
        List<String> command = new ArrayList<>(List.of(
                JavaCommand.java(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Dfile.encoding=UTF-8",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-UsePerfData",
                "-Dlambdafs.log.level=WARN"));
        if (JavaCommand.warnsOfUnsafe()) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("-cp", JavaCommand.classPath(), TaskMain.class.getName()));
        command.addAll(List.of(
                cluster.directory().client().toString(),
                meeting,
                Integer.toString(settings.operations()),
                Long.toString(seed)));
        try {
            long now = System.nanoTime();
            return new Started(
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.appendTo(log().toFile()))
                            .start(),
                    now);
        } catch (IOException e) {
            throw broken("cannot be started: " + e);
        }
    }

    private Path log() {
        return cluster.directory().logs().resolve("sharing.log");
    }

    private Task ended(Started started) throws InterruptedException {
        try (BufferedReader output = started.process().inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            int exit = started.process().waitFor();
            if (line == null || exit != 0) {
                throw broken("has ended with exit code " + exit + LogTail.of(log()));
            }
            return Task.parse(line, (System.nanoTime() - started.atNanos()) / 1_000_000);
        } catch (IOException | NumberFormatException e) {
            throw broken("cannot be read: " + e + LogTail.of(log()));
        }
    }

    private static CommandFailure broken(String why) {
        return new CommandFailure(ExitCode.FAILED, ErrorCode.UNAVAILABLE, "a process " + why);
    }
}
