package io.lambdafs.door.mount;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.DeathWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * A mount as a process, whose standard input is the opened {@code /dev/fuse}. Its single argument is a JSON file with
 * {@link MountConfig}'s keys. It ends when the directory is mounted no more; SIGTERM ends the mount. Exit codes: 0 ended
 * in order, 2 wrong usage or configuration, 3 a cluster or file that cannot be had.
 */
public final class MountMain {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int UNAVAILABLE = 3;

    private MountMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 1) {
            System.err.println("usage: MountMain CONFIG.json");
            System.exit(USAGE);
        }
        DeathWatch.endProcess();
        try {
            serve(Mount.start(MountConfig.load(Path.of(arguments[0]))));
        } catch (IllegalArgumentException e) {
            exit(e, USAGE);
        } catch (FsException e) {
            exit(e, e.code() == ErrorCode.UNAVAILABLE ? UNAVAILABLE : FAILED);
        } catch (IOException e) {
            exit(e, UNAVAILABLE);
        }
    }

    private static void serve(Mount mount) throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            mount.unmount();
                            awaitQuietly(closed);
                        },
                        "unmount"));
        mount.ended().join();
        mount.close();
        closed.countDown();
        System.exit(0);
    }

    private static void awaitQuietly(CountDownLatch closed) {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void exit(Exception why, int code) {
        System.err.println(why.getMessage());
        System.exit(code);
    }
}
