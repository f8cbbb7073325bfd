package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.hammer.workload.OperationMix;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;

/**
 * Generates the operations of a consistent trace from a seed: jobs that look at old files, write their own below a directory of theirs,
 * move them and remove some. No operation of it is refused by a file system that has the files that it presumes.
 */
public final class GeneratedTrace {
    private static final long FROM_SECONDS = 1_700_000_000L;
    private static final int OLD_FILES = 200;

    private final SplittableRandom random;
    private final int perSecond;
    private final List<String> own = new ArrayList<>();
    private final Map<OperationKind, Long> counts = new EnumMap<>(OperationKind.class);
    private long written;

    /** One operation; {@code other} is empty but for moves. */
    public record Line(long millis, OperationKind kind, String path, String other) {}

    public GeneratedTrace(long seed, int perSecond) {
        this.random = new SplittableRandom(seed);
        this.perSecond = perSecond;
    }

    /** How many of each kind there were. */
    public Map<OperationKind, Long> counts() {
        return counts;
    }

    public long written() {
        return written;
    }

    /** Generates the next operation. */
    public Line next() {
        OperationKind kind = OperationMix.SPOTIFY.at(random.nextDouble());
        if ((kind == OperationKind.DELETE || kind == OperationKind.MV) && own.isEmpty()) {
            kind = OperationKind.CREATE;
        }
        Line line = line(kind, FROM_SECONDS * 1_000 + written * 1_000 / perSecond);
        counts.merge(kind, 1L, Long::sum);
        written++;
        return line;
    }

    private Line line(OperationKind kind, long millis) {
        String old = "/warehouse/table " + random.nextInt(20) + "/part-" + random.nextInt(OLD_FILES);
        return switch (kind) {
            case READ, STAT -> new Line(millis, kind, old, "");
            case LS -> new Line(millis, kind, "/warehouse/table " + random.nextInt(20), "");
            case MKDIRS -> new Line(millis, kind, "/jobs/dir-" + written, "");
            case CREATE -> {
                own.add("/jobs/job-" + random.nextInt(10) + "/out-" + written);
                yield new Line(millis, kind, own.get(own.size() - 1), "");
            }
            case DELETE -> new Line(millis, kind, takeOwn(), "");
            case MV -> {
                String from = takeOwn();
                own.add("/done/file-" + written);
                yield new Line(millis, kind, from, own.get(own.size() - 1));
            }
        };
    }

    private String takeOwn() {
        int at = random.nextInt(own.size());
        String taken = own.get(at);
        own.set(at, own.get(own.size() - 1));
        own.remove(own.size() - 1);
        return taken;
    }

    /** As a line of the CSV format with all columns. */
    public static String csv(Line line) {
        return String.format(
                Locale.ROOT,
                "%d.%03d,client %d,%s,%s,%s,%s",
                line.millis / 1_000,
                line.millis % 1_000,
                line.path.length() % 7,
                line.kind.label(),
                '"' + line.path + '"',
                line.other,
                line.kind == OperationKind.CREATE ? 100 : 0);
    }

    /** As HDFS's audit log has it. */
    public static String audit(Line line) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(
                line.millis / 1_000, (int) (line.millis % 1_000) * 1_000_000, ZoneOffset.UTC);
        String command = switch (line.kind) {
            case READ -> "open";
            case STAT -> "getfileinfo";
            case LS -> "listStatus";
            case CREATE -> "create";
            case MKDIRS -> "mkdirs";
            case DELETE -> "delete";
            case MV -> "rename";
        };
        return time.toLocalDate() + " "
                + time.toLocalTime().toString().concat("000").substring(0, 8) + ","
                + String.format(Locale.ROOT, "%03d", line.millis % 1_000)
                + " INFO FSNamesystem.audit: allowed=true\tugi=alice (auth:SIMPLE)\tip=/10.0.0.7\tcmd=" + command
                + "\tsrc="
                + line.path + "\tdst=" + (line.other.isEmpty() ? "null" : line.other) + "\tperm=null\tproto=rpc";
    }

    /** Writes a number of them to a file as audit records, gzip if its name says so. */
    public void writeAudit(Path file, long records) throws IOException {
        try (OutputStream raw = Files.newOutputStream(file);
                OutputStream bytes = file.toString().endsWith(".gz") ? new GZIPOutputStream(raw, 1 << 16) : raw;
                BufferedWriter out = new BufferedWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8))) {
            for (long i = 0; i < records; i++) {
                out.write(audit(next()));
                out.write('\n');
            }
        }
    }
}
