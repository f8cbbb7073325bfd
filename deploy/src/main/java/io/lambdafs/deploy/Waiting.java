package io.lambdafs.deploy;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for several actions of a platform within one deadline. Confined to one thread. */
public final class Waiting {
    private static final long PAUSE_MILLIS = 500;

    private final String whom;
    private final int seconds;
    private final long deadline;

    /**
     * Starts the time now.
     *
     * @param whom name of the platform in messages
     * @param seconds value of {@code --option wait}
     */
    public Waiting(String whom, int seconds) {
        this.whom = whom;
        this.seconds = seconds;
        this.deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    /**
     * Waits until a condition holds.
     *
     * @param late message when the time is up: the unmet condition
     * @param look where a user should look then
     * @throws DeployFailure {@code PLATFORM_FAILED} when the time is up; or as the condition does
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
