package io.lambdafs.hadoop;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.OpenFile;
import io.lambdafs.model.Operation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.StreamCapabilities;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file that was made empty: collects its content and gives it to the file on close; where there is none, the file is what it
 * is to be already. What does not fit with the metadata fails with {@code NEEDS_DATANODE}, at the write that exceeds {@link
 * Operation#MAX_INLINE_BYTES} or on close where the service's own limit is lower; the file is removed then. Thread-safe.
 */
final class InlineOutputStream extends OutputStream implements StreamCapabilities {
    private final LambdaFs fs;
    private final FsPath path;
    private final OpenFile file;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private @Nullable IOException broken;
    private boolean closed;

    /** @param file as {@link LambdaFs#begin} returned it */
    InlineOutputStream(LambdaFs fs, FsPath path, OpenFile file) {
        this.fs = fs;
        this.path = path;
        this.file = file;
    }

    @Override
    public synchronized void write(int b) throws IOException {
        reserve(1);
        content.write(b);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        reserve(length);
        content.write(bytes, offset, length);
    }

    private void reserve(int length) throws IOException {
        if (closed) {
            throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
        }
        if (broken != null) {
            throw broken;
        }
        if (length > Operation.MAX_INLINE_BYTES - content.size()) {
            broken = Failures.of(
                    new FsException(
                            ErrorCode.NEEDS_DATANODE,
                            "write " + path + ": more than " + Operation.MAX_INLINE_BYTES
                                    + " bytes do not fit with the metadata, and no datanode serves blocks"),
                    path.toString());
            throw broken;
        }
    }

    /** Does nothing: content becomes visible when the file is closed. */
    @Override
    public void flush() {}

    @Override
    public boolean hasCapability(String capability) {
        return false;
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (broken != null) {
            remove(broken);
            throw broken;
        }
        if (content.size() == 0) {
            return;
        }
        try {
            Failures.await(fs.complete(path, file, content.toByteArray()), path.toString());
        } catch (IOException e) {
            broken = e;
            if (e.getCause() instanceof FsException failure && failure.code() == ErrorCode.NEEDS_DATANODE) {
                remove(e);
            }
            throw e;
        }
    }

    /** Leaves no half-made file behind, unless somebody put another one in its place. */
    private void remove(IOException why) {
        try {
            if (Failures.await(fs.stat(path), path.toString()).id() == file.id()) {
                Failures.await(fs.delete(path, false), path.toString());
            }
        } catch (IOException left) {
            why.addSuppressed(left);
        }
    }
}
