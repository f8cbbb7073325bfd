package io.lambdafs.datanode.cloud;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.Conflicts;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.PrivateFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object written to a file, and sent on commit: until then the cloud has no part of it, and a writer that dies
 * leaves nothing there. Confined to one thread at a time.
 */
final class SpooledUpload implements BlockStore.Upload {
    /** The object metadata by which its upload recognises it. */
    static final String MARK = "lambdafsupload";

    private static final Logger LOG = LoggerFactory.getLogger(SpooledUpload.class);

    private final String key;
    private final Path file;
    private final Sending sending;
    private final OutputStream out;
    private final String mark =
            HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    private boolean closed;

    /** Sends a file as a new object. */
    interface Sending {
        /**
         * Sends it.
         *
         * @throws FsException {@code ALREADY_EXISTS}; {@code STORE_CONFLICT}: it is sent again; else as the store
         *     specifies
         */
        void send(Path file, String mark);

        /** Returns the mark of the existing object; empty if it has none. */
        String markThere();
    }

    SpooledUpload(String key, Path file, Sending sending) {
        this.key = key;
        this.file = file;
        this.sending = sending;
        try {
            Files.createFile(file, PrivateFolder.forFile(file));
            out = Files.newOutputStream(file);
        } catch (IOException e) {
            throw unspooled(e);
        }
    }

    private FsException unspooled(IOException e) {
        ErrorCode code =
                String.valueOf(e.getMessage()).contains("No space left") ? ErrorCode.STORE_FULL : ErrorCode.UNAVAILABLE;
        return new FsException(code, "cannot keep " + key + " in " + file + ": " + e + "; make room there", e);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw unspooled(e);
        }
    }

    /** {@inheritDoc} The layers below repeat a request whose answer was lost, and it then finds its own object. */
    @Override
    public void commit() {
        try {
            Conflicts.repeat(() -> sending.send(file, mark));
        } catch (FsException e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS || !sending.markThere().equals(mark)) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            out.close();
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("what is left of an upload stays in {}: {}", file, e.toString());
        }
    }
}
