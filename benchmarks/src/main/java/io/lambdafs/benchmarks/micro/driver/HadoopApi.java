package io.lambdafs.benchmarks.micro.driver;

import io.lambdafs.hammer.loop.Calls;
import io.lambdafs.hammer.loop.ClosedLoop;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Hadoop's {@code FileSystem}, one object for all threads: a lane is a thread with blocking calls. */
final class HadoopApi implements Api<Path> {
    private final FileSystem fileSystem;

    HadoopApi(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    @Override
    public Path path(String text) {
        return new Path(text);
    }

    @Override
    public ClosedLoop<Step<Path>> loop(Calls<Step<Path>> workload) {
        return new ClosedLoop<>(workload, step -> CompletableFuture.completedFuture(call(step))).inThreads();
    }

    private boolean call(Step<Path> step) throws IOException {
        Path path = step.path();
        return switch (step.kind()) {
            case MKDIRS -> fileSystem.mkdirs(path);
            case CREATE -> {
                fileSystem.create(path, false).close();
                yield true;
            }
            case STAT -> fileSystem.getFileStatus(path) != null;
            case OPEN -> {
                fileSystem.open(path).close();
                yield true;
            }
            case LIST -> fileSystem.listStatus(path).length >= step.entries();
            case RENAME -> fileSystem.rename(path, step.destination());
            case DELETE -> fileSystem.delete(path, false);
        };
    }

    @Override
    public void close() throws IOException {
        fileSystem.close();
    }
}
