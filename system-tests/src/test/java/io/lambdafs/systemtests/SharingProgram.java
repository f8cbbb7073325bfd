package io.lambdafs.systemtests;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.config.ClientConfig.SharingUse;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.model.FsPath;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A process that shares connections. Arguments: the cluster's directory, where connections are shared. For each line {@code PATH N} of its
 * input it makes N files below a directory, one after the other, none of which may exist, and says what it sent and is connected to. For a line
 * {@code borrow} it waits until connections are lent to it.
 */
final class SharingProgram {
    private SharingProgram() {}

    public static void main(String[] arguments) throws Exception {
        ClientConfigBuilder config = ClientConfigBuilder.discover(Path.of(arguments[0]))
                .httpProbability(0)
                .sharing(new SharingUse(true, Path.of(arguments[1])));
        try (BlockingLambdaFs client = BlockingLambdaFs.open(config.build());
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                if (line.equals("borrow")) {
                    awaitBorrowed(client);
                    continue;
                }
                String[] parts = line.split(" ", -1);
                for (int i = 0; i < Integer.parseInt(parts[1]); i++) {
                    client.create(FsPath.of(parts[0] + "/d" + i % 16 + "/f" + i), new byte[0], CreateOptions.DEFAULT);
                    System.out.println("made " + i);
                }
                ClientMetrics.Snapshot counts = client.metrics().snapshot();
                System.out.println("done " + counts.http() + " " + counts.tcp() + " " + counts.connections() + " "
                        + counts.borrowed());
            }
        }
    }

    private static void awaitBorrowed(BlockingLambdaFs client) throws InterruptedException {
        while (client.metrics().snapshot().borrowed() == 0) {
            Thread.sleep(5);
        }
    }
}
