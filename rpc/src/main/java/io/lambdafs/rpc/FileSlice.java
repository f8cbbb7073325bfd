package io.lambdafs.rpc;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Bytes of an open file, to be sent without a copy in this process's memory. Its holder closes it or hands it on.
 * Thread-safe.
 *
 * @param position of the first byte
 * @param length at least 1
 */
public record FileSlice(FileChannel channel, long position, int length) implements Closeable {
    /** A sink that keeps nothing; any number of threads may write to it at once. */
    private static final class Nowhere {
        static final FileChannel CHANNEL = open();

        private static FileChannel open() {
            try {
                return FileChannel.open(Path.of("/dev/null"), StandardOpenOption.WRITE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Opens a file.
     *
     * @throws IOException it does not exist, or is too short
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

    /**
     * Waits until the bytes are in the system's cache, so that an event loop that sends them waits for no disk; copies
     * nothing.
     */
    private void load() throws IOException {
        long loaded = 0;
        while (loaded < length) {
            long more = channel.transferTo(position + loaded, length - loaded, Nowhere.CHANNEL);
            if (more <= 0) {
                throw new IOException("the file was cut");
            }
            loaded += more;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It was only read: nothing is lost.
        }
    }
}
