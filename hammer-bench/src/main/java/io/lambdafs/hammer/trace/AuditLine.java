package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * One line of an HDFS audit log: a time, anything that the logging library adds, then fields {@code name=value}
 * separated by tabs. Times count as UTC: only their differences matter. Used by one thread.
 */
final class AuditLine {
    static final String NO_RECORD = "no audit record";
    static final String TRUNCATED = "truncated";
    static final String NO_TIME = "without a time";
    static final String BAD_PATH = "a path that is none";
    static final String REFUSED = "refused by HDFS (allowed=false)";

    private static final String FIRST_FIELD = "allowed=";
    /** {@code 2026-01-31 23:59:59,999}. */
    private static final int TIME_LENGTH = 23;

    private static final int MILLIS_FROM = 20;

    private @Nullable TraceRecord record;
    private String problem = NO_RECORD;

    /** Parses a line; returns false if it has no record that can be replayed. */
    boolean parse(String line) {
        record = null;
        int fields = line.indexOf(FIRST_FIELD);
        if (fields < 0) {
            return not(NO_RECORD);
        }
        String allowed = field(line, fields, FIRST_FIELD);
        String command = field(line, fields, "cmd=");
        String source = field(line, fields, "src=");
        String destination = field(line, fields, "dst=");
        // In every version perm follows dst: without it the path may be cut off.
        if (allowed == null || command == null || source == null || destination == null || !line.contains("\tperm=")) {
            return not(TRUNCATED);
        }
        if (!allowed.equals("true")) {
            return not(REFUSED);
        }
        OperationKind kind = kind(command);
        if (kind == null) {
            return not("command " + command);
        }
        Long nanos = nanos(line);
        if (nanos == null) {
            return not(NO_TIME);
        }
        FsPath path = path(source);
        FsPath other = kind == OperationKind.MV ? path(destination) : null;
        if (path == null || (kind == OperationKind.MV && other == null)) {
            return not(BAD_PATH);
        }
        record = new TraceRecord(nanos, client(line, fields), kind, path, other, 0, command.contains("OVERWRITE"));
        return true;
    }

    private boolean not(String why) {
        problem = why;
        return false;
    }

    /** Returns the record of the last line parsed. */
    TraceRecord record() {
        if (record == null) {
            throw new IllegalStateException("the last line has no record: " + problem);
        }
        return record;
    }

    /** Returns why the last rejected line was rejected. */
    String problem() {
        return problem;
    }

    private static @Nullable String field(String line, int fields, String name) {
        boolean first = line.startsWith(name, fields);
        int tab = first ? -1 : line.indexOf('\t' + name, fields);
        if (!first && tab < 0) {
            return null;
        }
        int from = (first ? fields : tab + 1) + name.length();
        int to = line.indexOf('\t', from);
        return to < 0 ? line.substring(from) : line.substring(from, to);
    }

    private static String client(String line, int fields) {
        String user = field(line, fields, "ugi=");
        String address = field(line, fields, "ip=");
        return (user == null ? "" : user) + '@' + (address == null ? "" : address);
    }

    /** Returns the operation of a command. A rename's options follow its name: {@code rename (options=[OVERWRITE])}. */
    private static @Nullable OperationKind kind(String command) {
        int end = command.indexOf(' ');
        return switch (end < 0 ? command : command.substring(0, end)) {
            case "open" -> OperationKind.READ;
            case "getfileinfo" -> OperationKind.STAT;
            case "listStatus" -> OperationKind.LS;
            case "create" -> OperationKind.CREATE;
            case "mkdirs" -> OperationKind.MKDIRS;
            case "delete" -> OperationKind.DELETE;
            case "rename" -> OperationKind.MV;
            default -> null;
        };
    }

    private static @Nullable Long nanos(String line) {
        if (line.length() < TIME_LENGTH || (line.charAt(10) != ' ' && line.charAt(10) != 'T')) {
            return null;
        }
        try {
            LocalDateTime second = LocalDateTime.of(
                    number(line, 0, 4),
                    number(line, 5, 7),
                    number(line, 8, 10),
                    number(line, 11, 13),
                    number(line, 14, 16),
                    number(line, 17, 19));
            return second.toEpochSecond(ZoneOffset.UTC) * 1_000_000_000L
                    + number(line, MILLIS_FROM, TIME_LENGTH) * 1_000_000L;
        } catch (NumberFormatException | DateTimeException e) {
            return null;
        }
    }

    private static int number(String line, int from, int to) {
        return Integer.parseUnsignedInt(line, from, to, 10);
    }

    private static @Nullable FsPath path(String text) {
        try {
            return FsPath.of(text);
        } catch (FsException e) {
            return null;
        }
    }
}
