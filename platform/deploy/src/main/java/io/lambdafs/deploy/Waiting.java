package io.lambdafs.deploy;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what a platform does in its own time, all of it within one deadline. Confined to one thread. */
public final class Waiting {
    private static final long PAUSE_MILLIS = 500;

    private final String whom;
    private final int seconds;
    private final long deadline;

    /**
     * Begins now.
     *
     * @param whom for messages
     * @param seconds of {@code --option wait}
     */
    public Waiting(String whom, int seconds) {
        this.whom = whom;
        this.seconds = seconds;
        this.deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    /**
     * Returns once it is so.
     *
     * @param late what to say when the time is up: what is not so
     * @param look where a user looks then
     * @throws DeployFailure {@code PLATFORM_FAILED}: the time is up; or as the question does
     */
    public void until(BooleanSupplier isSo, String late, String look) {
        while (!isSo.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new DeployFailure(
                        Problem.Code.PLATFORM_FAILED,
                        late + " after " + seconds + " s: see " + look
                                + ", or give more time with --option wait=SECONDS");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new DeployFailure(Problem.Code.PLATFORM_FAILED, "interrupted while waiting for " + whom, e);
            }
        }
    }
}
