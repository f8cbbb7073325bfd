package io.lambdafs.benchmarks.sharing;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig.SharingUse;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.JavaCommand;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Folders;
import io.lambdafs.hammer.measure.CachedFiles;
import io.lambdafs.hammer.measure.MeasuringProcess;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Starts short processes that make some stats each, in turns without and with sharing, along with a permanent one.
 * Confined to one thread.
 */
final class SharingBench {
    static final CachedFiles FILES = new CachedFiles(FsPath.of("/bench-sharing"), 1_024);
    private static final int HEAP_MB = 64;

    private final Settings settings;
    private final LocalCluster cluster;
    private final Console console;

    /**
     * The parameters of the bench.
     *
     * @param processes processes of a turn, 1–10,000
     * @param parallel processes running at once, 1–256
     * @param operations operations per process, 1–1,000,000
     * @param rounds turns without and with sharing, 1–1,000
     */
    record Settings(int processes, int parallel, int operations, int rounds) {
        Settings {
            Options.check(processes >= 1 && processes <= 10_000, "--processes is 1..10000, not " + processes);
            Options.check(parallel >= 1 && parallel <= 256, "--parallel is 1..256, not " + parallel);
            Options.check(operations >= 1 && operations <= 1_000_000, "--operations is 1..1000000, not " + operations);
            Options.check(rounds >= 1 && rounds <= 1_000, "--rounds is 1..1000, not " + rounds);
        }
    }

    /** The results: all processes of all turns, without sharing and with it. */
    record Result(List<Task> without, List<Task> with) {
        Result {
            without = List.copyOf(without);
            with = List.copyOf(with);
        }
    }

    SharingBench(Settings settings, LocalCluster cluster, Console console) {
        this.settings = settings;
        this.cluster = cluster;
        this.console = console;
    }

    Result run() throws InterruptedException {
        Path meeting;
        try {
            // Short, because a socket's path must be.
            meeting = Files.createTempDirectory("lfs-share-");
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot make a temporary directory", e);
        }
        try (LambdaFs holder = open(meeting)) {
            try {
                FILES.make(holder);
                return turns(meeting);
            } finally {
                FILES.remove(holder);
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

    private Result turns(Path meeting) throws InterruptedException {
        List<Task> without = new ArrayList<>();
        List<Task> with = new ArrayList<>();
        // An uncounted turn: instances compile, and the machine reads this program's files.
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
        ExecutorService lanes = Executors.newFixedThreadPool(settings.parallel());
        try {
            List<Callable<Task>> all = new ArrayList<>();
            for (int i = 0; i < settings.processes(); i++) {
                long seed = round * 100_000L + i;
                all.add(() -> task(meeting, seed));
            }
            List<Task> tasks = new ArrayList<>();
            for (Future<Task> each : lanes.invokeAll(all)) {
                tasks.add(each.get());
            }
            return tasks;
        } catch (ExecutionException e) {
            throw CommandFailure.of(e.getCause() instanceof Exception cause ? cause : e);
        } finally {
            lanes.shutdownNow();
        }
    }

    private Task task(String meeting, long seed) throws InterruptedException {
        List<String> command = JavaCommand.measuring(TaskMain.class, HEAP_MB, JavaCommand.classPath());
        command.addAll(List.of(
                cluster.directory().client().toString(),
                meeting,
                Integer.toString(settings.operations()),
                Long.toString(seed)));
        List<String> said = new ArrayList<>();
        MeasuringProcess process =
                new MeasuringProcess("asking", cluster.directory().logs().resolve("sharing.log"));
        long begun = System.nanoTime();
        process.run(command, said::add);
        long millis = (System.nanoTime() - begun) / 1_000_000;
        if (said.size() != 1) {
            throw process.failure("said " + said);
        }
        return Task.parse(said.get(0), millis);
    }
}
