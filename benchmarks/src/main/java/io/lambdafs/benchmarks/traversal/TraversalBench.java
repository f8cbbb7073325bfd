package io.lambdafs.benchmarks.traversal;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes small files in many directories; another process reads all of them. Confined to one thread. */
final class TraversalBench {
    private static final int PROGRESS_EVERY = 1_000;
    private static final long BLOCK_SIZE = 128L << 20;

    private final Settings settings;
    private final LocalCluster cluster;
    private final Console console;

    /**
     * The parameters of the bench.
     *
     * @param files small files in all, 10–100,000,000
     * @param directories they are in, 1–1,000,000, no more than files
     * @param bytes of each file, 1–65,536
     * @param threads that read, 1–1,024
     * @param heapMb heap limit of the reading process in MB, 16–65,536
     * @param seed of the order
     */
    record Settings(int files, int directories, int bytes, int threads, int heapMb, long seed) {
        Settings {
            Options.check(files >= 10 && files <= 100_000_000, "--files is 10..100000000, not " + files);
            Options.check(
                    directories >= 1 && directories <= 1_000_000 && directories <= files,
                    "--directories is 1..1000000, and no more than files, not " + directories);
            Options.check(bytes >= 1 && bytes <= 65_536, "--bytes is 1..65536, not " + bytes);
            Options.check(threads >= 1 && threads <= 1_024, "--threads is 1..1024, not " + threads);
            Options.check(heapMb >= 16 && heapMb <= 65_536, "--heap is 16..65536, not " + heapMb);
        }

        /** Returns the content of every file. */
        static byte[] content(int bytes) {
            byte[] content = new byte[bytes];
            for (int i = 0; i < bytes; i++) {
                content[i] = (byte) (31 * i + 7);
            }
            return content;
        }
    }

    /**
     * A tenth of the traversal.
     *
     * @param files read by its end
     * @param filesPerSecond in it
     * @param liveBytes of the reading process's heap after it, garbage collected
     */
    record Tenth(long files, double filesPerSecond, long liveBytes) {}

    TraversalBench(Settings settings, LocalCluster cluster, Console console) {
        this.settings = settings;
        this.cluster = cluster;
        this.console = console;
    }

    List<Tenth> run() throws InterruptedException {
        FsPath top = FsPath.of("/bench-traversal-" + System.currentTimeMillis());
        try (LambdaFs client =
                LambdaFs.open(ClientConfig.load(cluster.directory().client()))) {
            try {
                make(client, top);
                return traversed(top);
            } finally {
                BlockingLambdaFs.await(client.execute(new NamespaceOperation.Delete(top, true)));
            }
        }
    }

    private void make(LambdaFs client, FsPath top) throws InterruptedException {
        byte[] content = Settings.content(settings.bytes());
        Pipeline pipeline = new Pipeline(client::execute);
        for (int i = 0; i < settings.directories(); i++) {
            pipeline.start(new NamespaceOperation.Mkdirs(top.child("d" + i), 0755, true));
        }
        pipeline.finish();
        for (int i = 0; i < settings.files(); i++) {
            FsPath path = top.child("d" + i % settings.directories()).child("f" + i);
            pipeline.start(new FileOperation.Create(path, 0644, false, false, 1, BLOCK_SIZE, content, null));
            if (i % PROGRESS_EVERY == 0) {
                console.progress(String.format(
                        Locale.ROOT,
                        "making %,d of %,d files",
                        pipeline.done() - settings.directories(),
                        settings.files()));
            }
        }
        pipeline.finish();
    }

    private List<Tenth> traversed(FsPath top) throws InterruptedException {
        MeasuringProcess reader =
                new MeasuringProcess("reading", cluster.directory().logs().resolve("traversal.log"));
        List<Tenth> tenths = new ArrayList<>();
        reader.run(command(top), line -> {
            String[] words = line.split(" ", -1);
            long before = tenths.isEmpty() ? 0 : tenths.get(tenths.size() - 1).files();
            long files = Long.parseLong(words[0]);
            Tenth tenth =
                    new Tenth(files, (files - before) / (Long.parseLong(words[1]) / 1e9), Long.parseLong(words[2]));
            tenths.add(tenth);
            console.progress(String.format(
                    Locale.ROOT,
                    "read %,d of %,d files, %,.0f a second, %.1f MB of heap live",
                    files,
                    settings.files(),
                    tenth.filesPerSecond(),
                    tenth.liveBytes() / 1048576.0));
        });
        long read = tenths.isEmpty() ? 0 : tenths.get(tenths.size() - 1).files();
        if (read != settings.files()) {
            throw reader.failure("read " + read + " files of " + settings.files());
        }
        return tenths;
    }

    private List<String> command(FsPath top) {
        List<String> command = JavaCommand.measuring(TraversalMain.class, settings.heapMb(), JavaCommand.classPath());
        command.addAll(List.of(
                cluster.directory().client().toString(),
                top.toString(),
                Integer.toString(settings.files()),
                Integer.toString(settings.bytes()),
                Integer.toString(settings.threads()),
                Long.toString(settings.seed())));
        return command;
    }
}
