package io.lambdafs.hammer.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads audit logs one after the other, and counts the lines it leaves out. Used by one thread. */
public final class AuditReader implements TraceReader {
    /** Maximum number of distinct reasons; commands come from the log. */
    private static final int MOST_REASONS = 64;

    private final Iterator<Path> files;
    private final AuditLine parser = new AuditLine();
    private final Map<String, Long> leftOut = new TreeMap<>();
    private @Nullable TraceLines lines;
    private long last = Long.MIN_VALUE;
    private long count;

    AuditReader(List<Path> files) {
        this.files = files.iterator();
    }

    @Override
    public @Nullable TraceRecord next() throws IOException {
        while (true) {
            if (lines == null) {
                if (!files.hasNext()) {
                    return null;
                }
                lines = new TraceLines(files.next());
            }
            String line = lines.next();
            if (line == null) {
                if (lines.endsEarly()) {
                    leaveOut("a compressed file that breaks off");
                }
                lines.close();
                lines = null;
            } else {
                count++;
                if (lines.wasCut()) {
                    leaveOut("too long");
                } else if (parser.parse(line)) {
                    return inOrder(parser.record());
                } else {
                    leaveOut(parser.problem());
                }
            }
        }
    }

    /**
     * Ensures non-decreasing times: several threads write a log, so a record may be some milliseconds older than the
     * previous one.
     */
    private TraceRecord inOrder(TraceRecord read) {
        if (read.nanos() >= last) {
            last = read.nanos();
            return read;
        }
        return new TraceRecord(
                last, read.client(), read.kind(), read.path(), read.destination(), read.size(), read.overwrite());
    }

    private void leaveOut(String reason) {
        leftOut.merge(
                leftOut.containsKey(reason) || leftOut.size() < MOST_REASONS ? reason : "other commands",
                1L,
                Long::sum);
    }

    /** Returns the number of lines read so far. */
    public long lines() {
        return count;
    }

    /** Returns the number of lines without a record to replay, by reason. */
    public Map<String, Long> leftOut() {
        return Map.copyOf(leftOut);
    }

    @Override
    public void close() throws IOException {
        if (lines != null) {
            lines.close();
        }
    }
}
