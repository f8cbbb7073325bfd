package io.lambdafs.deploy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Turns errors of local files into failures that name the file and the reason. Stateless. */
public final class FileFaults {
    private FileFaults() {}

    /**
     * Returns the failure.
     *
     * @param what the failed action: "cannot read the platform's key"
     * @param change the remedy
     */
    public static DeployFailure of(Problem.Code code, String what, IOException e, String change) {
        return new DeployFailure(Problem.fault(code, what + ": " + reason(e), change), e);
    }

    /** Returns the reason; the message of some exceptions is only the file's name. */
    static String reason(IOException e) {
        if (e instanceof NoSuchFileException missing) {
            return "there is no file " + missing.getFile();
        }
        if (e instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
