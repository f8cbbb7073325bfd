package io.lambdafs.hadoop;

import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file whose content came with its metadata: one moment's content, whatever happens to the file since. As streams are, not
 * thread-safe, but for positioned reads.
 */
final class InlineInputStream extends FSInputStream {
    private final byte[] content;
    private final FileSystem.@Nullable Statistics statistics;
    private int position;
    private volatile boolean closed;

    InlineInputStream(byte[] content, FileSystem.@Nullable Statistics statistics) {
        this.content = content;
        this.statistics = statistics;
    }

    @Override
    public synchronized void seek(long target) throws IOException {
        checkOpen();
        if (target < 0) {
            throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK);
        }
        if (target > content.length) {
            throw new EOFException(FSExceptionMessages.CANNOT_SEEK_PAST_EOF);
        }
        position = (int) target;
    }

    @Override
    public synchronized long getPos() throws IOException {
        return position;
    }

    @Override
    public boolean seekToNewSource(long target) throws IOException {
        return false;
    }

    @Override
    public synchronized int read() throws IOException {
        checkOpen();
        if (position == content.length) {
            return -1;
        }
        count(1);
        return content[position++] & 0xff;
    }

    @Override
    public synchronized int read(byte[] buffer, int offset, int length) throws IOException {
        int read = copy(position, buffer, offset, length);
        position += Math.max(read, 0);
        return read;
    }

    @Override
    public int read(long from, byte[] buffer, int offset, int length) throws IOException {
        checkOpen();
        validatePositionedReadArgs(from, buffer, offset, length);
        return from >= content.length && length > 0 ? -1 : copy((int) from, buffer, offset, length);
    }

    private int copy(int from, byte[] buffer, int offset, int length) throws IOException {
        checkOpen();
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length == 0) {
            return 0;
        }
        if (from >= content.length) {
            return -1;
        }
        int copied = Math.min(length, content.length - from);
        System.arraycopy(content, from, buffer, offset, copied);
        count(copied);
        return copied;
    }

    @Override
    public synchronized long skip(long bytes) throws IOException {
        checkOpen();
        int skipped = (int) Math.max(0, Math.min(bytes, content.length - position));
        position += skipped;
        return skipped;
    }

    @Override
    public synchronized int available() throws IOException {
        checkOpen();
        return content.length - position;
    }

    private void count(int bytes) {
        if (statistics != null) {
            statistics.incrementBytesRead(bytes);
        }
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
