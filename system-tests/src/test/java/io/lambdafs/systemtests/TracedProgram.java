package io.lambdafs.systemtests;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;

/** A process that starts a cluster in the directory of its argument, makes a file, looks at it twice, and stops the cluster. */
final class TracedProgram {
    private TracedProgram() {}

    public static void main(String[] arguments) throws Exception {
        try (ClusterUnderTest cluster = ClusterUnderTest.start(Path.of(arguments[0]));
                BlockingLambdaFs client = cluster.client()) {
            client.create(FsPath.of("/traced"), new byte[10], CreateOptions.DEFAULT);
            client.stat(FsPath.of("/traced"));
            client.stat(FsPath.of("/traced"));
        }
        System.exit(0);
    }
}
