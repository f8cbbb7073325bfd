package io.lambdafs.benchmarks.sharing;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfig.SharingUse;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.hammer.measure.CachedFiles;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * The main class of a short process. Arguments: the client's configuration, the place where connections are shared (a
 * dash for none), the number of stats to make one after the other, and the seed that chooses their files. It prints a
 * line for {@link Task#parse}.
 */
public final class TaskMain {
    private TaskMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        long begun = System.nanoTime();
        ClientConfigBuilder builder = ClientConfigBuilder.load(Path.of(arguments[0]));
        if (!arguments[1].equals("-")) {
            builder.sharing(new SharingUse(true, Path.of(arguments[1])));
        }
        CachedFiles files = SharingBench.FILES;
        int operations = Integer.parseInt(arguments[2]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[3]));
        ClientConfig config = builder.build();
        long first = 0;
        Task task;
        try (LambdaFs client = LambdaFs.open(config)) {
            for (int i = 0; i < operations; i++) {
                BlockingLambdaFs.await(client.stat(files.file(random.nextInt(files.count()))));
                first = i == 0 ? System.nanoTime() - begun : first;
            }
            ClientMetrics.Snapshot counts = client.metrics().snapshot();
            task = new Task(
                    first / 1_000,
                    (System.nanoTime() - begun) / 1_000,
                    0,
                    counts.http(),
                    counts.connections() - counts.borrowed());
        }
        System.out.println(task.line());
        System.exit(0);
    }
}
