package io.lambdafs.datanode.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Repeats requests that an object store refuses because of another request for the same object; its libraries do not.
 * Stateless.
 */
public final class Conflicts {
    static final int TRIES = 5;
    private static final long FIRST_PAUSE_MILLIS = 100;

    private Conflicts() {}

    /** Waits before a request is repeated. */
    interface Pause {
        void atMost(long millis) throws InterruptedException;
    }

    /**
     * Repeats a request a few times while it fails with {@code STORE_CONFLICT}, with growing pauses.
     *
     * @param request fails as a block store does
     * @throws FsException the last failure
     */
    public static void repeat(Runnable request) {
        repeat(request, Conflicts::sleep);
    }

    static void repeat(Runnable request, Pause pause) {
        for (int tries = 1; ; tries++) {
            try {
                request.run();
                return;
            } catch (FsException e) {
                if (e.code() != ErrorCode.STORE_CONFLICT || tries == TRIES) {
                    throw e;
                }
                pause(pause, FIRST_PAUSE_MILLIS << (tries - 1), e);
            }
        }
    }

    private static void pause(Pause pause, long mostMillis, FsException conflict) {
        try {
            pause.atMost(mostMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw conflict;
        }
    }

    private static void sleep(long mostMillis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(mostMillis / 2, mostMillis + 1));
    }
}
