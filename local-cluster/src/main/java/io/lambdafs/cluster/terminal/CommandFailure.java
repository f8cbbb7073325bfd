package io.lambdafs.cluster.terminal;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FileTrouble;
import io.lambdafs.model.FsException;
import java.io.IOException;

/** A command ends with an error: what users read and what scripts see. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final ExitCode exit;

    /** @param message what failed, why, what to do */
    public CommandFailure(ExitCode exit, ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = code;
        this.exit = exit;
    }

    /** With the exit code that belongs to the error. */
    public static CommandFailure of(Throwable thrown) {
        if (thrown instanceof CommandFailure known) {
            return known;
        }
        FsException typed = FsException.of(thrown);
        return new CommandFailure(ExitCode.of(typed.code()), typed.code(), String.valueOf(typed.getMessage()));
    }

    /** That a file or folder could not be used: by its cause, and not as if nobody answered. */
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

    /** One line for a user. */
    public String line() {
        return "lambdafs: " + code.label() + " " + code + ": " + getMessage();
    }
}
