package io.lambdafs.door.mount.device;

import io.lambdafs.door.mount.wire.Answer;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The opened {@code /dev/fuse}, which this process has as its standard input, opened for reading and writing. One read
 * takes one request, and one write gives one answer. Threads that use it must not be interrupted, which would close it.
 * Thread-safe.
 */
public final class Device {
    private static final Logger LOG = LoggerFactory.getLogger(Device.class);
    /** The system's words for what a read or write fails with, which Java passes on. */
    private static final String NO_DEVICE = "no such device";

    /** The kernel's number of this notice. */
    private static final int INVALIDATE_INODE = 2;
    /** In place of where contents to be dropped begin. */
    private static final long ATTRIBUTES_ALONE = -1;

    private static final String NO_FILE = "no such file or directory";
    private static final String INTERRUPTED = "interrupted system call";
    private static final String AGAIN = "resource temporarily unavailable";

    private final FileChannel in;
    private final FileChannel out;

    @SuppressWarnings("StreamResourceLeak") // It lives as long as the process.
    private Device() {
        in = new FileInputStream(FileDescriptor.in).getChannel();
        out = new FileOutputStream(FileDescriptor.in).getChannel();
    }

    public static Device ofStandardInput() {
        return new Device();
    }

    /**
     * Waits for a request.
     *
     * @param into large enough for any, and empty
     * @return false if there will be none, for the directory is mounted no more
     */
    boolean read(ByteBuffer into) throws IOException {
        while (true) {
            try {
                return in.read(into) > 0;
            } catch (IOException e) {
                String why = words(e);
                if (why.contains(NO_DEVICE)) {
                    return false;
                }
                if (!why.contains(NO_FILE) && !why.contains(INTERRUPTED) && !why.contains(AGAIN)) {
                    throw e;
                }
            }
        }
    }

    /** Gives the answer to a request. One that the kernel no longer awaits is dropped. */
    void write(Answer answer, long unique) {
        ByteBuffer[] parts = answer.to(unique);
        long length = Arrays.stream(parts).mapToLong(ByteBuffer::remaining).sum();
        try {
            long written = parts.length == 1 ? out.write(parts[0]) : out.write(parts);
            if (written != length) {
                LOG.error("The kernel took {} of {} bytes of an answer", written, length);
            }
        } catch (IOException e) {
            String why = words(e);
            if (!why.contains(NO_FILE) && !why.contains(NO_DEVICE)) {
                LOG.error("The kernel refuses an answer of {} bytes: {}", length, e.toString());
            }
        }
    }

    /** Has the kernel ask for a file's attributes again. */
    public void forgetAttributes(long node) {
        write(
                Answer.of(3 * Long.BYTES)
                        .putLong(node)
                        .putLong(ATTRIBUTES_ALONE)
                        .putLong(0)
                        .asNotice(INVALIDATE_INODE),
                0);
    }

    private static String words(IOException e) {
        return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    }
}
