package io.lambdafs.cluster.terminal;

import io.lambdafs.model.ErrorCode;

/** What a command's end tells scripts. The numbers never change. */
public enum ExitCode {
    OK(0),
    /** The command was understood and its operation failed. */
    FAILED(1),
    /** Unknown commands, options and settings, and values that make no sense. */
    USAGE(2),
    /** A service that the command needs does not answer. One that answers and refuses, a wrong secret for one, is {@link #FAILED}. */
    UNREACHABLE(3);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** The exit code of a failure that is not about the command itself. */
    public static ExitCode of(ErrorCode code) {
        return switch (code) {
            case INVALID_ARGUMENT, INVALID_PATH -> USAGE;
            case UNAVAILABLE, THROTTLED, CONNECTION_LOST, TIMED_OUT, DEADLINE_EXCEEDED, FUNCTION_FAILED -> UNREACHABLE;
            default -> FAILED;
        };
    }
}
