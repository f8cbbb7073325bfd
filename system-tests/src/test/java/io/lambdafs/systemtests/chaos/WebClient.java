package io.lambdafs.systemtests.chaos;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A client without TCP connections: everything it asks goes through the gateway. It writes a time to a file that nobody else changes, and
 * reads it back, one call after the other. Thread-safe.
 */
final class WebClient implements AutoCloseable {
    private static final FsPath FILE = FsPath.of("/web/file");

    private final BlockingLambdaFs fs;
    private final Progress progress;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread = new Thread(this::work, "web-client");
    private volatile @Nullable Throwable failure;

    /** @param progress is told of its calls that are answered */
    WebClient(Path clientJson, Progress progress) {
        this.progress = progress;
        fs = BlockingLambdaFs.open(
                ClientConfigBuilder.load(clientJson).tcpEnabled(false).build());
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void work() {
        try {
            fs.mkdirs(FILE.parent(), 0755);
            fs.create(FILE, new byte[0], CreateOptions.DEFAULT);
            for (long time = 1_000; !stopped.get(); time += 1_000) {
                long asked = System.nanoTime();
                fs.setTimes(FILE, time, time);
                long written = System.nanoTime();
                progress.completed(true, asked, written);
                long seen = fs.stat(FILE).mtime();
                progress.completed(false, written, System.nanoTime());
                if (seen != time) {
                    throw new AssertionError("wrote " + time + ", then read " + seen);
                }
            }
        } catch (InterruptedException | RuntimeException | AssertionError e) {
            failure = e;
        }
    }

    /** Ends after the calls that are under way. */
    void stop() throws InterruptedException {
        stopped.set(true);
        thread.join();
    }

    /** Returns what ended it before it was stopped: a failed call, or a wrong answer. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    @Override
    public void close() {
        stopped.set(true);
        fs.close();
    }
}
