package io.lambdafs.cluster.terminal;

import io.lambdafs.model.ErrorCode;

/** The exit codes of commands. The numbers never change. */
public enum ExitCode {
    OK(0),
    /** The command was understood and its operation failed. */
    FAILED(1),
    /** Unknown commands, options and settings, and invalid values. */
    USAGE(2),
    /**
     * A service that the command needs does not answer. A service that answers with a refusal, for instance because of
     * a wrong secret, is {@link #FAILED}.
     */
    UNREACHABLE(3);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** Returns the exit code of a failure not caused by the command line itself. */
    public static ExitCode of(ErrorCode code) {
        return switch (code) {
            case INVALID_ARGUMENT, INVALID_PATH -> USAGE;
            case UNAVAILABLE, THROTTLED, CONNECTION_LOST, TIMED_OUT, DEADLINE_EXCEEDED, FUNCTION_FAILED -> UNREACHABLE;
            default -> FAILED;
        };
    }
}
