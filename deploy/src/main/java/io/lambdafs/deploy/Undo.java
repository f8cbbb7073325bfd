package io.lambdafs.deploy;

import java.util.ArrayDeque;
import java.util.Deque;

/** The undo steps of one call, run newest first, so that a failure leaves nothing half-made. Confined to one thread. */
public final class Undo {
    private final Deque<Step> steps = new ArrayDeque<>();

    /** Undoes one change; may fail. */
    @FunctionalInterface
    public interface Step {
        void run();
    }

    /** Adds the undo step of a change just made. */
    public void add(Step step) {
        steps.addFirst(step);
    }

    /**
     * Undoes all changes.
     *
     * @return the causing failure, with failed undo steps in its message
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
                        reason.problem().text() + "; " + left
                                + " of the changes before could not be undone: run the command again, or remove the deployment",
                        reason);
    }
}
