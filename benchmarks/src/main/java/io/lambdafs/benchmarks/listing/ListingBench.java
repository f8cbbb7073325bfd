package io.lambdafs.benchmarks.listing;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.loop.Preparation;
import io.lambdafs.hammer.measure.MeasuringProcess;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Creates a directory of many files and a tree; another process lists them. Confined to one thread. */
final class ListingBench {
    private static final int PROGRESS_EVERY = 1_000;
    private static final long BLOCK_SIZE = 128L << 20;
    /** Children of each directory of the tree. */
    private static final int WIDTH = 10;
    /** Levels of the tree below its top; the last holds the files. */
    private static final int DEPTH = 4;

    static final int TREE_ENTRIES = 11_110;
    /** Files of the tree, as {@code listFiles} returns them. */
    static final int TREE_FILES = 10_000;

    private final Settings settings;
    private final LocalCluster cluster;
    private final Console console;

    /**
     * The parameters of the bench.
     *
     * @param files files in the directory, 1–10,000,000
     * @param rounds listings by each interface, 1–1,000
     * @param heapMb heap limit of the listing process in MB, 16–65,536
     * @param page entries per page of the native interface, 1–{@value Operation#MAX_PAGE}
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
     * The results.
     *
     * @param nativeRates entries per second of λFS's own interface, by round
     * @param hadoopRates the same of Hadoop's interface
     * @param treeRates entries per second of a tree listed by one call
     * @param fileRates files per second of the same tree listed by one {@code listFiles}
     * @param aheadRates files per second of the same tree listed directory by directory, with read-ahead of children
     * @param eachRates the same without read-ahead
     * @param heapPeak peak heap of the listing process in bytes, garbage included
     */
    record Result(
            List<Double> nativeRates,
            List<Double> hadoopRates,
            List<Double> treeRates,
            List<Double> fileRates,
            List<Double> aheadRates,
            List<Double> eachRates,
            long heapPeak) {
        private List<Double> of(String api) {
            return switch (api) {
                case "native" -> nativeRates;
                case "hadoop" -> hadoopRates;
                case "tree" -> treeRates;
                case "files" -> fileRates;
                case "ahead" -> aheadRates;
                default -> eachRates;
            };
        }

        /** Returns the speed-up of one {@code listFiles} over listing directory by directory, by round. */
        List<Double> timesFaster() {
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < fileRates.size(); i++) {
                ratios.add((TREE_ENTRIES / eachRates.get(i)) / (TREE_FILES / fileRates.get(i)));
            }
            return ratios;
        }
    }

    ListingBench(Settings settings, LocalCluster cluster, Console console) {
        this.settings = settings;
        this.cluster = cluster;
        this.console = console;
    }

    Result run() throws InterruptedException {
        long now = System.currentTimeMillis();
        FsPath directory = FsPath.of("/bench-listing-" + now);
        FsPath tree = FsPath.of("/bench-tree-" + now);
        try (LambdaFs client =
                LambdaFs.open(ClientConfig.load(cluster.directory().client()))) {
            try {
                make(client, directory);
                makeTree(client, tree);
                return listed(directory, tree);
            } finally {
                BlockingLambdaFs.await(client.execute(new NamespaceOperation.Delete(directory, true)));
                BlockingLambdaFs.await(client.execute(new NamespaceOperation.Delete(tree, true)));
            }
        }
    }

    private void make(LambdaFs client, FsPath directory) throws InterruptedException {
        BlockingLambdaFs.await(client.execute(new NamespaceOperation.Mkdirs(directory, 0755, true)));
        Preparation.send(client::execute, IntStream.range(0, settings.files()).mapToObj(i -> {
            if (i % PROGRESS_EVERY == 0) {
                console.progress(String.format(Locale.ROOT, "making %,d of %,d files", i, settings.files()));
            }
            return file(directory.child(String.format(Locale.ROOT, "part-%07d", i)));
        }));
    }

    private static FileOperation.Create file(FsPath path) {
        return new FileOperation.Create(path, 0644, false, false, 1, BLOCK_SIZE, new byte[0], null);
    }

    private static void makeTree(LambdaFs client, FsPath top) throws InterruptedException {
        List<FsPath> level = List.of(top);
        for (int depth = 0; depth < DEPTH; depth++) {
            boolean last = depth == DEPTH - 1;
            level = level.stream()
                    .flatMap(parent -> IntStream.range(0, WIDTH).mapToObj(i -> parent.child("n" + i)))
                    .toList();
            Preparation.send(
                    client::execute,
                    level.stream().map(path -> last ? file(path) : new NamespaceOperation.Mkdirs(path, 0755, true)));
        }
    }

    private Result listed(FsPath directory, FsPath tree) throws InterruptedException {
        MeasuringProcess lister =
                new MeasuringProcess("listing", cluster.directory().logs().resolve("lister.log"));
        Result rates = new Result(
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                0);
        AtomicLong heap = new AtomicLong();
        lister.run(command(directory, tree), line -> {
            String[] parts = line.split(" ", -1);
            long number = Long.parseLong(parts[1]);
            if (parts[0].equals("heap")) {
                heap.set(number);
                return;
            }
            int expected = expected(parts[0]);
            if (number != expected) {
                throw lister.failure("saw " + number + " entries of " + expected);
            }
            double rate = number / (Long.parseLong(parts[2]) / 1e9);
            rates.of(parts[0]).add(rate);
            console.progress(String.format(Locale.ROOT, "%s: %,.0f entries a second", parts[0], rate));
        });
        return new Result(
                rates.nativeRates(),
                rates.hadoopRates(),
                rates.treeRates(),
                rates.fileRates(),
                rates.aheadRates(),
                rates.eachRates(),
                heap.get());
    }

    private int expected(String api) {
        return switch (api) {
            case "tree", "ahead", "each" -> TREE_ENTRIES;
            case "files" -> TREE_FILES;
            default -> settings.files();
        };
    }

    private List<String> command(FsPath directory, FsPath tree) {
        List<String> command = JavaCommand.measuring(ListerMain.class, settings.heapMb(), JavaCommand.classPath());
        command.addAll(List.of(
                cluster.directory().client().toString(),
                directory.toString(),
                Integer.toString(settings.rounds()),
                Integer.toString(settings.page()),
                tree.toString()));
        return command;
    }
}
