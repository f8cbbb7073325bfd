package io.lambdafs.deploy;

import org.jspecify.annotations.Nullable;

/** A deployment or its removal failed. */
public final class DeployFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    /** @param message what failed, why, and what to do */
    public DeployFailure(Problem.Code code, String message) {
        this(Problem.fault(code, message, ""), null);
    }

    public DeployFailure(Problem.Code code, String message, Throwable cause) {
        this(Problem.fault(code, message, ""), cause);
    }

    public DeployFailure(Problem problem, @Nullable Throwable cause) {
        super(problem.text(), cause);
        this.problem = problem;
    }

    public Problem.Code code() {
        return problem.code();
    }

    /** Returns the failure as a problem of a check. */
    public Problem problem() {
        return problem;
    }

    /** Returns a line for users. */
    public String line() {
        return problem.line();
    }
}
