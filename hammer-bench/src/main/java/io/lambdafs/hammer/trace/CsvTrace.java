package io.lambdafs.hammer.trace;

import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A trace as comma-separated values (RFC 4180), plain or gzip. The first line names the columns: {@code
 * time,client,op,path}, and optionally {@code path2} and {@code size}, in any order. The first bad line ends the
 * reading. Immutable.
 */
public final class CsvTrace implements Trace {
    private final Path file;

    /** @throws FsException {@code INVALID_ARGUMENT} if there is no such file */
    public CsvTrace(Path file) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw FsException.invalidArgument("the trace " + file + " is not a file that can be read");
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

    /** Reads the header, then the records. */
    private final class Reader implements TraceReader {
        private final TraceLines lines;
        private final Map<String, Integer> columns = new HashMap<>();
        private final TraceRow row;

        private Reader(TraceLines lines) throws IOException {
            this.lines = lines;
            this.row = new TraceRow(() -> file + ":" + lines.number());
            String header = lines.next();
            if (header == null) {
                throw FsException.invalidArgument(file + ": it is empty; its first line names columns");
            }
            for (String name : fields(header.startsWith("\ufeff") ? header.substring(1) : header)) {
                if (columns.put(name, columns.size()) != null) {
                    throw bad("the column \"" + name + "\" is there twice");
                }
            }
            row.check(columns.keySet(), "; the first line names the columns");
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
            return row.record(column -> field(fields, column));
        }

        private String field(List<String> fields, String column) {
            Integer index = columns.get(column);
            return index == null ? "" : fields.get(index);
        }

        private List<String> fields(String line) {
            List<String> fields = new ArrayList<>();
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
            return row.bad(why);
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
