package io.lambdafs.deploy;

import java.util.ArrayDeque;
import java.util.Deque;

/** How to undo what one call has done so far, newest first, so that a failure leaves nothing half-made. Confined to one thread. */
public final class Undo {
    private final Deque<Step> steps = new ArrayDeque<>();

    /** Puts one thing back; may fail. */
    @FunctionalInterface
    public interface Step {
        void run();
    }

    /** Called after something was done, with what undoes it. */
    public void add(Step step) {
        steps.addFirst(step);
    }

    /**
     * Undoes all of it.
     *
     * @return the failure that was the reason, with what could not be undone in its message
     */
    public DeployFailure undo(DeployFailure reason) {
        int left = 0;
        for (Step step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                reason.addSuppressed(e);
                left++;
            }
        }
        steps.clear();
        return left == 0
                ? reason
                : new DeployFailure(
                        reason.code(),
                        reason.getMessage() + "; " + left
                                + " of the changes before could not be undone: run the command again, or remove the deployment",
                        reason);
    }
}
