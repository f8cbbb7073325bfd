package io.lambdafs.hadoop.convert;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Converts typed failures to the exceptions that Hadoop programs expect, with the error's label ({@code LFS-101}) and
 * the request's id in the message and the failure as cause, whose text a {@code PathIOException} appends to its own.
 * Failures of platform or network never become "not found". Stateless.
 */
public final class Failures {
    private Failures() {}

    /** A blocking call. */
    public interface Blocking<T> {
        T call() throws InterruptedException;
    }

    /** A blocking call without a result. */
    public interface BlockingAction {
        void run() throws InterruptedException;
    }

    /** Waits for a client's stage. */
    public static <T> T await(CompletionStage<T> stage, String path) throws IOException {
        return call(() -> BlockingLambdaFs.await(stage), path);
    }

    public static void run(BlockingAction action, String path) throws IOException {
        call(
                () -> {
                    action.run();
                    return true;
                },
                path);
    }

    /** Makes a blocking call. */
    public static <T> T call(Blocking<T> blocking, String path) throws IOException {
        try {
            return blocking.call();
        } catch (FsException e) {
            throw of(e, path);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                    new InterruptedIOException(path + ": interrupted while waiting; a change may have taken effect");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    /** Returns a new exception for a failure reported before. */
    public static IOException again(IOException before, String path) {
        return before.getCause() instanceof FsException failure
                ? of(failure, path)
                : new IOException(before.getMessage(), before);
    }

    /**
     * Returns the exception for a failure.
     *
     * @throws UnsupportedOperationException instead, for unsupported features
     */
    public static IOException of(FsException failure, String path) {
        String message = failure.code().label() + ": " + failure.getMessage();
        IOException known = switch (failure.code()) {
            case NOT_FOUND -> new FileNotFoundException(message);
            case ALREADY_EXISTS -> new FileAlreadyExistsException(message);
            case NOT_A_DIRECTORY -> new ParentNotDirectoryException(message);
            case PERMISSION_DENIED, UNAUTHENTICATED, TOKEN_EXPIRED -> new AccessControlException(message);
            case NOT_EMPTY -> new PathIsNotEmptyDirectoryException(path);
            case UNAVAILABLE -> new ConnectException(message);
            case IS_A_DIRECTORY,
                    INVALID_PATH,
                    INVALID_ARGUMENT,
                    NEEDS_DATANODE,
                    NO_CONTENT,
                    NOT_UNDER_CONSTRUCTION,
                    NOT_ALLOWED -> new PathIOException(path, failure.code().label());
            case NAMES_QUOTA_EXCEEDED, SPACE_QUOTA_EXCEEDED -> QuotaFailures.of(failure);
            case UNSUPPORTED -> throw new UnsupportedOperationException(message, failure);
            default -> new IOException(message);
        };
        known.initCause(failure.code() == ErrorCode.NOT_EMPTY ? untold(failure) : failure);
        return known;
    }

    /** Returns a failure reduced to its request, because the exception already contains its text. */
    private static FsException untold(FsException failure) {
        String text = String.valueOf(failure.getMessage());
        int request = text.lastIndexOf(" [request ");
        return new FsException(
                failure.code(), failure.code().label() + (request < 0 ? "" : text.substring(request)), failure);
    }
}
