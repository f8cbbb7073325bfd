package io.lambdafs.door.s3.calls;

import io.lambdafs.client.FileReader;
import io.lambdafs.client.ReadAhead;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;

/** A range of a file, read piece by piece. Does not close the reader. For one thread at a time. */
final class Download implements AutoCloseable {
    private final ReadAhead ahead;
    private final long from;
    private final long length;
    private final int pieceBytes;
    private long done;

    Download(FileReader reader, long from, long length, int pieceBytes) {
        this.ahead = new ReadAhead(reader);
        this.from = from;
        this.length = length;
        this.pieceBytes = pieceBytes;
    }

    /** Returns the next piece; there must be one. */
    byte[] read() throws IOException {
        byte[] bytes = new byte[(int) Math.min(pieceBytes, length - done)];
        ByteBuffer into = ByteBuffer.wrap(bytes);
        try {
            while (into.hasRemaining()) {
                ahead.read(from + done + into.position(), into);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the door stops");
        }
        done += bytes.length;
        return bytes;
    }

    @Override
    public void close() {
        ahead.drop();
    }
}
