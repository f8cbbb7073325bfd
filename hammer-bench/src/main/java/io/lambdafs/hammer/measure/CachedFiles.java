package io.lambdafs.hammer.measure;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.hammer.loop.Preparation;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.ReadOperation;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Empty files for a benchmark of reads, in directories of {@value #PER_DIRECTORY}. Immutable.
 *
 * @param root directory that contains them
 * @param count number of files, 1 or more
 */
public record CachedFiles(FsPath root, int count) {
    private static final int PER_DIRECTORY = 16;
    private static final long BLOCK_SIZE = 128L << 20;

    /**
     * Returns a file's path.
     *
     * @param number of a file, from 0
     */
    public FsPath file(int number) {
        return root.child("d" + number / PER_DIRECTORY).child("f" + number);
    }

    /** Wakes an instance of every deployment, creates the files, and fills the instances' caches with them. */
    public void make(LambdaFs client) throws InterruptedException {
        BlockingLambdaFs.await(client.warmUp());
        make(client::execute);
    }

    void make(Target target) throws InterruptedException {
        Preparation.send(
                target,
                files().map(file ->
                        new FileOperation.Create(file, 0644, true, true, 1, BLOCK_SIZE, new byte[0], null)));
        Preparation.send(target, files().map(ReadOperation.Stat::new));
    }

    private Stream<FsPath> files() {
        return IntStream.range(0, count).mapToObj(this::file);
    }

    /** Removes the files and their root. */
    public void remove(LambdaFs client) throws InterruptedException {
        BlockingLambdaFs.await(client.execute(new NamespaceOperation.Delete(root, true)));
    }
}
