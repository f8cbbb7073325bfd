package io.lambdafs.model;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.ReadOnlyFileSystemException;

/** Says of a file or folder that could not be used why, and what to do: about a full disk it is something else than about rights. Stateless. */
public final class FileTrouble {
    private FileTrouble() {}

    /**
     * {@code STORE_FULL} where there is no room, {@code PERMISSION_DENIED} where rights are missing, else {@code UNAVAILABLE}.
     *
     * @param what could not be done, with the name of the file or folder: "cannot write /etc/x"
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

    /** Returns whether a file system has no room left, for this user at least. */
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
