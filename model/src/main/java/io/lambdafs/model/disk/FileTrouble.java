package io.lambdafs.model.disk;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.ReadOnlyFileSystemException;

/**
 * Turns an {@code IOException} on a local file or folder into an error that says why and what to do: a full disk needs
 * another remedy than missing rights. Stateless.
 */
public final class FileTrouble {
    private FileTrouble() {}

    /**
     * Returns {@code STORE_FULL} if there is no space, {@code PERMISSION_DENIED} if rights are missing, else {@code
     * UNAVAILABLE}.
     *
     * @param what the failed action, with the name of the file or folder: "cannot write /etc/x"
     */
    public static FsException of(String what, IOException e) {
        ErrorCode code = code(e);
        String advice = switch (code) {
            case STORE_FULL -> "the disk is full; free some space there";
            case PERMISSION_DENIED -> "no permission; check its owner and mode, and that its disk can be written";
            default -> e + "; check its folder and its disk";
        };
        return new FsException(code, what + ": " + advice, e);
    }

    /** Returns whether a message says that the file system, or this user's quota, is full. */
    public static boolean isFull(String message) {
        return message.contains("No space left") || message.contains("quota exceeded");
    }

    private static ErrorCode code(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            String text = String.valueOf(cause.getMessage());
            if (isFull(text)) {
                return ErrorCode.STORE_FULL;
            }
            if (cause instanceof AccessDeniedException
                    || cause instanceof ReadOnlyFileSystemException
                    || text.contains("Permission denied")
                    || text.contains("Operation not permitted")
                    || text.contains("Read-only file system")) {
                return ErrorCode.PERMISSION_DENIED;
            }
        }
        return ErrorCode.UNAVAILABLE;
    }
}
