package io.lambdafs.cluster.process;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.Leeway;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock that lets one command at a time start or stop a cluster. The kernel releases it when the command dies.
 * Confined to one thread.
 */
public final class ClusterLock {
    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final long RETRY_MILLIS = 100;

    private final FileChannel channel;

    private ClusterLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Runs an action while no other command changes the cluster.
     *
     * @param onWait run once if the lock is not free
     */
    public static <T> T during(ClusterDirectory directory, Runnable onWait, Supplier<T> action) {
        ClusterLock lock = take(directory, onWait);
        try {
            return action.get();
        } finally {
            lock.close();
        }
    }

    /** Runs an action if no command is changing the cluster. */
    public static void ifFree(ClusterDirectory directory, Runnable action) {
        Path file = file(directory);
        try (FileChannel channel = open(file)) {
            if (tryLock(channel) != null) {
                action.run();
            }
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot lock " + file, e);
        }
    }

    private static Path file(ClusterDirectory directory) {
        return directory.run().resolve("lock");
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static ClusterLock take(ClusterDirectory directory, Runnable onWait) {
        Path file = file(directory);
        try {
            FileChannel channel = open(file);
            long since = System.nanoTime();
            boolean told = false;
            while (tryLock(channel) == null) {
                if (!told) {
                    onWait.run();
                    told = true;
                }
                Duration wait = Leeway.of(WAIT);
                if (System.nanoTime() - since > wait.toNanos()) {
                    channel.close();
                    throw new CommandFailure(
                            ExitCode.FAILED,
                            ErrorCode.UNAVAILABLE,
                            "another command has been starting or stopping the cluster in " + directory + " for "
                                    + wait.toSeconds() + " s: wait for it, or end it");
                }
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
            return new ClusterLock(channel);
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot lock " + file, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, ErrorCode.INTERRUPTED, "interrupted while waiting for " + file);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
