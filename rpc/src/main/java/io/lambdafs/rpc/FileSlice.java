package io.lambdafs.rpc;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Bytes of a file that is open, to be sent without a copy in this process's memory. Whoever has it closes it or hands it on. Thread-safe.
 *
 * @param position of the first byte
 * @param length at least 1
 */
public record FileSlice(FileChannel channel, long position, int length) implements Closeable {
    private static final Path NOWHERE = Path.of("/dev/null");

    /**
     * Opens a file.
     *
     * @throws IOException there is none, or it is too short
     */
    public static FileSlice open(Path file, long position, int length) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        FileSlice slice = new FileSlice(channel, position, length);
        try {
            if (channel.size() < position + length) {
                throw new IOException(file + " ends before byte " + (position + length));
            }
            slice.load();
            return slice;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Waits until the bytes are in the system's cache, so that an event loop that sends them does not wait for a disk; copies nothing. */
    private void load() throws IOException {
        try (FileChannel nowhere = FileChannel.open(NOWHERE, StandardOpenOption.WRITE)) {
            send(nowhere);
        }
    }

    private void send(WritableByteChannel to) throws IOException {
        long sent = 0;
        while (sent < length) {
            long more = channel.transferTo(position + sent, length - sent, to);
            if (more <= 0) {
                throw new IOException("the file was cut");
            }
            sent += more;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Only read: nothing is lost.
        }
    }
}
