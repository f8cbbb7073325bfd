package io.lambdafs.cluster.terminal;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.FileTrouble;
import java.io.IOException;

/** Ends a command with an error: a message for users and an exit code for scripts. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final ExitCode exit;

    /** @param message the failure, its reason, and advice */
    public CommandFailure(ExitCode exit, ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = code;
        this.exit = exit;
    }

    /** Returns a failure with the exit code of an error. */
    public static CommandFailure of(Throwable thrown) {
        if (thrown instanceof CommandFailure known) {
            return known;
        }
        FsException typed = FsException.of(thrown);
        return new CommandFailure(ExitCode.of(typed.code()), typed.code(), String.valueOf(typed.getMessage()));
    }

    /** Returns the failure to use a file or folder, by its cause, not as an unreachable service. */
    public static CommandFailure ofFile(String what, IOException e) {
        FsException why = FileTrouble.of(what, e);
        return new CommandFailure(ExitCode.FAILED, why.code(), String.valueOf(why.getMessage()));
    }

    public ErrorCode code() {
        return code;
    }

    public ExitCode exit() {
        return exit;
    }

    /** Returns one line for users. */
    public String line() {
        return "lambdafs: " + code.label() + " " + code + ": " + getMessage();
    }
}
