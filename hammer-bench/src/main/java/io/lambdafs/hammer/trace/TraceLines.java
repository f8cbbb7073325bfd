package io.lambdafs.hammer.trace;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** The lines of a file, plain or gzip, with bounded memory. Used by one thread. */
final class TraceLines implements AutoCloseable {
    /** Limit beyond which lines are cut: no path of ours is that long. */
    static final int MAX_LINE_BYTES = 64 << 10;

    private static final int BUFFER_BYTES = 256 << 10;
    private static final int GZIP_MAGIC = 0x1f8b;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final ByteArrayOutputStream carried = new ByteArrayOutputStream();
    private int at;
    private int end;
    private long number;
    private boolean cut;
    private boolean endsEarly;

    /** Opens a file; its first bytes show whether it is compressed. */
    TraceLines(Path file) throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        try {
            raw.mark(2);
            int magic = raw.read() << 8 | raw.read();
            raw.reset();
            in = magic == GZIP_MAGIC ? unzipped(raw) : raw;
        } catch (IOException | RuntimeException e) {
            raw.close();
            throw e;
        }
    }

    private InputStream unzipped(InputStream raw) throws IOException {
        try {
            return new GZIPInputStream(raw, BUFFER_BYTES);
        } catch (EOFException | ZipException e) {
            endsEarly = true;
            return raw;
        }
    }

    /** Reads the next line, without its end; null after the last. */
    @Nullable
    String next() throws IOException {
        carried.reset();
        cut = false;
        while (true) {
            if (at == end && !fill()) {
                if (carried.size() == 0 && !cut) {
                    return null;
                }
                break;
            }
            int from = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            carry(from, at - from);
            if (at < end) {
                at++;
                break;
            }
        }
        number++;
        byte[] line = carried.toByteArray();
        int length = line.length > 0 && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
        return new String(line, 0, length, StandardCharsets.UTF_8);
    }

    private void carry(int from, int length) {
        int room = MAX_LINE_BYTES - carried.size();
        cut |= length > room;
        carried.write(buffer, from, Math.min(length, room));
    }

    private boolean fill() throws IOException {
        if (endsEarly) {
            return false;
        }
        at = 0;
        end = 0;
        try {
            end = Math.max(0, in.read(buffer));
        } catch (EOFException | ZipException e) {
            endsEarly = true;
        }
        return end > 0;
    }

    /** Returns the number of the line read last, from 1. */
    long number() {
        return number;
    }

    /** Returns whether the line read last was too long, and was cut. */
    boolean wasCut() {
        return cut;
    }

    /** Returns whether the compressed data ended early, so that lines may be missing. */
    boolean endsEarly() {
        return endsEarly;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
