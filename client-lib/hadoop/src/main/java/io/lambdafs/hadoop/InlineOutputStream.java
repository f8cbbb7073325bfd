package io.lambdafs.hadoop;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.OpenFile;
import io.lambdafs.model.Operation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file that was made empty: collects its content and gives it to the file on close; where there is none, the file is what it
 * is to be already. What does not fit with the metadata fails with {@code NEEDS_DATANODE}, at the write that exceeds {@link
 * Operation#MAX_INLINE_BYTES} or on close where the service's own limit is lower; the file is removed then. Thread-safe.
 */
final class InlineOutputStream extends LambdaOutputStream {
    private final LambdaFs fs;
    private final FsPath path;
    private final OpenFile file;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    /** @param file as {@link LambdaFs#begin} returned it */
    InlineOutputStream(SharedClients.Use use, FsPath path, OpenFile file) throws IOException {
        super(use);
        this.fs = use.client();
        this.path = path;
        this.file = file;
    }

    @Override
    void append(byte[] bytes, int offset, int length) throws IOException {
        if (length > Operation.MAX_INLINE_BYTES - content.size()) {
            throw Failures.of(
                    new FsException(
                            ErrorCode.NEEDS_DATANODE,
                            "write " + path + ": more than " + Operation.MAX_INLINE_BYTES
                                    + " bytes do not fit with the metadata, and no datanode serves blocks"),
                    path.toString());
        }
        content.write(bytes, offset, length);
    }

    @Override
    void finish(@Nullable IOException failure) throws IOException {
        if (failure != null) {
            remove(failure);
            return;
        }
        if (content.size() == 0) {
            return;
        }
        try {
            Failures.await(fs.complete(path, file, content.toByteArray()), path.toString());
        } catch (IOException e) {
            if (e.getCause() instanceof FsException why && why.code() == ErrorCode.NEEDS_DATANODE) {
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
