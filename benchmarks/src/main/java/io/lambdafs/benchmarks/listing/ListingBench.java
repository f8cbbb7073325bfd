package io.lambdafs.benchmarks.listing;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.JavaCommand;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.MeasuringProcess;
import io.lambdafs.hammer.measure.Pipeline;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** Makes a directory of many files and has another process list it. Confined to one thread. */
final class ListingBench {
    private static final int PROGRESS_EVERY = 1_000;
    private static final long BLOCK_SIZE = 128L << 20;

    private final Settings settings;
    private final LocalCluster cluster;
    private final Console console;

    /**
     * What is measured.
     *
     * @param files of the directory, 1–10,000,000
     * @param rounds how often it is listed by each interface, 1–1,000
     * @param heapMb the most that the listing process may keep on its heap, 16–65,536
     * @param page entries that the native interface asks for at once, 1–{@value Operation#MAX_PAGE}
     */
    record Settings(int files, int rounds, int heapMb, int page) {
        Settings {
            Options.check(files >= 1 && files <= 10_000_000, "--files is 1..10000000, not " + files);
            Options.check(rounds >= 1 && rounds <= 1_000, "--rounds is 1..1000, not " + rounds);
            Options.check(heapMb >= 16 && heapMb <= 65_536, "--heap is 16..65536, not " + heapMb);
            Options.check(
                    page >= 1 && page <= Operation.MAX_PAGE, "--page is 1.." + Operation.MAX_PAGE + ", not " + page);
        }
    }

    /**
     * What came out.
     *
     * @param nativeRates entries per second by rounds, of λFS's own interface
     * @param hadoopRates those of Hadoop's
     * @param heapPeak bytes that the listing process had on its heap, garbage included, at most
     */
    record Result(List<Double> nativeRates, List<Double> hadoopRates, long heapPeak) {}

    ListingBench(Settings settings, LocalCluster cluster, Console console) {
        this.settings = settings;
        this.cluster = cluster;
        this.console = console;
    }

    Result run() throws InterruptedException {
        FsPath directory = FsPath.of("/bench-listing-" + System.currentTimeMillis());
        try (LambdaFs client =
                LambdaFs.open(ClientConfig.load(cluster.directory().client()))) {
            try {
                make(client, directory);
                return listed(directory);
            } finally {
                BlockingLambdaFs.await(client.execute(new NamespaceOperation.Delete(directory, true)));
            }
        }
    }

    private void make(LambdaFs client, FsPath directory) throws InterruptedException {
        BlockingLambdaFs.await(client.execute(new NamespaceOperation.Mkdirs(directory, 0755, true)));
        Pipeline files = new Pipeline(client);
        for (int i = 0; i < settings.files(); i++) {
            files.start(new FileOperation.Create(
                    directory.child(String.format(Locale.ROOT, "part-%07d", i)),
                    0644,
                    false,
                    false,
                    1,
                    BLOCK_SIZE,
                    new byte[0],
                    null));
            if (i % PROGRESS_EVERY == 0) {
                console.progress(String.format(Locale.ROOT, "making %,d of %,d files", files.done(), settings.files()));
            }
        }
        files.finish();
    }

    private Result listed(FsPath directory) throws InterruptedException {
        MeasuringProcess lister =
                new MeasuringProcess("listing", cluster.directory().logs().resolve("lister.log"));
        List<Double> nativeRates = new ArrayList<>();
        List<Double> hadoopRates = new ArrayList<>();
        AtomicLong heap = new AtomicLong();
        lister.run(command(directory), line -> {
            String[] parts = line.split(" ", -1);
            long number = Long.parseLong(parts[1]);
            if (parts[0].equals("heap")) {
                heap.set(number);
                return;
            }
            if (number != settings.files()) {
                throw lister.failure("saw " + number + " entries of " + settings.files());
            }
            double rate = number / (Long.parseLong(parts[2]) / 1e9);
            (parts[0].equals("native") ? nativeRates : hadoopRates).add(rate);
            console.progress(String.format(Locale.ROOT, "%s: %,.0f entries a second", parts[0], rate));
        });
        return new Result(nativeRates, hadoopRates, heap.get());
    }

    private List<String> command(FsPath directory) {
        List<String> command = JavaCommand.measuring(ListerMain.class, settings.heapMb(), JavaCommand.classPath());
        command.addAll(List.of(
                cluster.directory().client().toString(),
                directory.toString(),
                Integer.toString(settings.rounds()),
                Integer.toString(settings.page())));
        return command;
    }
}
