package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.OperationKind;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Nearest;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A trace as comma-separated values (RFC 4180), plain or gzip. The first line names the columns: {@code time,client,op,path}, and
 * {@code path2} and {@code size} if need be, in any order. The first bad line ends the reading. Immutable.
 */
public final class CsvTrace implements Trace {
    private static final List<String> NEEDED = List.of("time", "client", "op", "path");
    private static final List<String> KNOWN = List.of("time", "client", "op", "path", "path2", "size");
    private static final BigDecimal MAX_SECONDS = BigDecimal.valueOf(9_000_000_000L);

    private final Path file;

    /** @throws FsException {@code INVALID_ARGUMENT} where there is no such file */
    public CsvTrace(Path file) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new FsException(ErrorCode.INVALID_ARGUMENT, "the trace " + file + " is not a file that can be read");
        }
        this.file = file;
    }

    @Override
    public TraceReader open() throws IOException {
        TraceLines lines = new TraceLines(file);
        try {
            return new Reader(lines);
        } catch (IOException | RuntimeException e) {
            lines.close();
            throw e;
        }
    }

    @Override
    public String describe() {
        return "trace " + file;
    }

    /** Reads from the header on. */
    private final class Reader implements TraceReader {
        private final TraceLines lines;
        private final Map<String, Integer> columns = new HashMap<>();
        private long last;

        private Reader(TraceLines lines) throws IOException {
            this.lines = lines;
            String header = lines.next();
            if (header == null) {
                throw new FsException(ErrorCode.INVALID_ARGUMENT, file + ": it is empty; its first line names columns");
            }
            for (String name : fields(header.startsWith("\ufeff") ? header.substring(1) : header)) {
                if (!KNOWN.contains(name)) {
                    throw bad("there is no column \"" + name + "\"; known are " + String.join(", ", KNOWN));
                }
                if (columns.put(name, columns.size()) != null) {
                    throw bad("the column \"" + name + "\" is there twice");
                }
            }
            for (String name : NEEDED) {
                if (!columns.containsKey(name)) {
                    throw bad("the column \"" + name + "\" is missing; the first line names the columns");
                }
            }
        }

        @Override
        public @Nullable TraceRecord next() throws IOException {
            String line = lines.next();
            if (line == null) {
                if (lines.endsEarly()) {
                    throw bad("the compressed data breaks off after this line");
                }
                return null;
            }
            if (lines.wasCut()) {
                throw bad("longer than " + TraceLines.MAX_LINE_BYTES + " bytes");
            }
            List<String> fields = fields(line);
            if (fields.size() != columns.size()) {
                throw bad(fields.size() + " fields instead of " + columns.size());
            }
            return record(fields);
        }

        private TraceRecord record(List<String> fields) {
            OperationKind kind = kind(field(fields, "op"));
            String destination = field(fields, "path2");
            if (destination.isEmpty() == (kind == OperationKind.MV)) {
                throw bad(kind == OperationKind.MV ? "mv needs path2" : kind.label() + " has no path2");
            }
            return new TraceRecord(
                    nanos(field(fields, "time")),
                    field(fields, "client"),
                    kind,
                    path(field(fields, "path")),
                    destination.isEmpty() ? null : path(destination),
                    size(field(fields, "size")),
                    false);
        }

        private String field(List<String> fields, String column) {
            Integer index = columns.get(column);
            return index == null ? "" : fields.get(index);
        }

        private long nanos(String text) {
            BigDecimal seconds;
            try {
                seconds = new BigDecimal(text);
            } catch (NumberFormatException e) {
                throw bad("time is a number of seconds, not \"" + text + "\"");
            }
            if (seconds.signum() < 0 || seconds.compareTo(MAX_SECONDS) > 0) {
                throw bad("time is 0.." + MAX_SECONDS + " seconds, not " + text);
            }
            long nanos = seconds.movePointRight(9).longValue();
            if (nanos < last) {
                throw bad("time " + text + " is before that of the line above; sort the trace by time");
            }
            last = nanos;
            return nanos;
        }

        private OperationKind kind(String name) {
            for (OperationKind kind : OperationKind.values()) {
                if (kind.label().equals(name)) {
                    return kind;
                }
            }
            List<String> names = Arrays.stream(OperationKind.values())
                    .map(OperationKind::label)
                    .toList();
            throw bad("there is no operation \"" + name + "\""
                    + Nearest.of(name, names)
                            .map(near -> "; did you mean \"" + near + "\"?")
                            .orElse("")
                    + " Known are " + String.join(", ", names));
        }

        private FsPath path(String text) {
            try {
                return FsPath.of(text);
            } catch (FsException e) {
                throw bad(String.valueOf(e.getMessage()));
            }
        }

        private long size(String text) {
            try {
                long size = text.isEmpty() ? 0 : Long.parseLong(text);
                if (size >= 0) {
                    return size;
                }
            } catch (NumberFormatException e) {
                // Told below, with the text.
            }
            throw bad("size is a number of bytes, not \"" + text + "\"");
        }

        private List<String> fields(String line) {
            List<String> fields = new ArrayList<>(KNOWN.size());
            StringBuilder field = new StringBuilder();
            boolean quoted = false;
            for (int i = 0; i < line.length(); i++) {
                char c = line.charAt(i);
                if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    field.append(c);
                    i++;
                } else if (c == '"' && (quoted || field.isEmpty())) {
                    quoted = !quoted;
                } else if (c == ',' && !quoted) {
                    fields.add(field.toString());
                    field.setLength(0);
                } else {
                    field.append(c);
                }
            }
            if (quoted) {
                throw bad("a quoted field has no end on its line");
            }
            fields.add(field.toString());
            return fields;
        }

        private FsException bad(String why) {
            return new FsException(ErrorCode.INVALID_ARGUMENT, file + ":" + lines.number() + ": " + why);
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
