package io.lambdafs.hadoop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.PathHandle;

/**
 * A handle to a file at a path, to any content or to a specific one. Does not follow a moved file. Immutable.
 *
 * @param path of the file
 * @param etag required of the content; empty for any
 */
record FileHandle(String path, String etag) implements PathHandle {
    private static final long serialVersionUID = 1L;

    private static final char BETWEEN = '\n';

    /**
     * Returns the handle of a file.
     *
     * @throws UnsupportedOperationException if it should follow a moved file
     */
    static FileHandle of(FileStatus status, Options.HandleOpt... options) {
        boolean changed = Options.HandleOpt.getOpt(Options.HandleOpt.Data.class, options)
                .orElse(Options.HandleOpt.changed(false))
                .allowChange();
        boolean moved = Options.HandleOpt.getOpt(Options.HandleOpt.Location.class, options)
                .orElse(Options.HandleOpt.moved(false))
                .allowChange();
        if (moved) {
            throw new UnsupportedOperationException("no handle of " + LambdaFileSystem.SCHEME
                    + ":// follows a file that is moved: take Options.HandleOpt.path() or exact()");
        }
        String etag = changed || !(status instanceof EtagSource source) ? "" : Objects.toString(source.getEtag(), "");
        return new FileHandle(status.getPath().toUri().getPath(), etag);
    }

    /** Decodes a handle. */
    static FileHandle of(PathHandle handle) throws IOException {
        if (handle instanceof FileHandle known) {
            return known;
        }
        String text = StandardCharsets.UTF_8.decode(handle.bytes()).toString();
        int between = text.lastIndexOf(BETWEEN);
        if (between < 0) {
            throw new InvalidPathHandleException("this is no handle of " + LambdaFileSystem.SCHEME + "://");
        }
        return new FileHandle(text.substring(0, between), text.substring(between + 1));
    }

    /** Checks that the content is the required one. */
    void check(String found) throws InvalidPathHandleException {
        if (!etag.isEmpty() && !etag.equals(found)) {
            throw new InvalidPathHandleException(path + " has changed since the handle was made");
        }
    }

    @Override
    public ByteBuffer bytes() {
        return ByteBuffer.wrap((path + BETWEEN + etag).getBytes(StandardCharsets.UTF_8));
    }
}
