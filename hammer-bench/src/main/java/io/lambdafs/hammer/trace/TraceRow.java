package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Nearest;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Makes records from the rows of a table in any format, and checks them. Used by one thread. */
public final class TraceRow {
    private static final List<String> NEEDED = List.of("time", "client", "op", "path");
    private static final List<String> KNOWN = List.of("time", "client", "op", "path", "path2", "size");
    private static final BigDecimal MAX_SECONDS = BigDecimal.valueOf(9_000_000_000L);

    private final Supplier<String> place;
    private long last;

    /** @param place names the file and the row being read */
    public TraceRow(Supplier<String> place) {
        this.place = place;
    }

    /**
     * Checks the columns' names.
     *
     * @param hint appended to the message about a missing one
     */
    public void check(Collection<String> columns, String hint) {
        for (String name : columns) {
            if (!KNOWN.contains(name)) {
                throw bad("there is no column \"" + name + "\"; known are " + String.join(", ", KNOWN));
            }
        }
        for (String name : NEEDED) {
            if (!columns.contains(name)) {
                throw bad("the column \"" + name + "\" is missing" + hint);
            }
        }
    }

    /**
     * Returns the record of a row.
     *
     * @param field the text in a column; empty if there is none
     * @throws FsException {@code INVALID_ARGUMENT} naming the row
     */
    public TraceRecord record(UnaryOperator<String> field) {
        OperationKind kind = kind(field.apply("op"));
        String destination = field.apply("path2");
        if (destination.isEmpty() == (kind == OperationKind.MV)) {
            throw bad(kind == OperationKind.MV ? "mv needs path2" : kind.label() + " has no path2");
        }
        return new TraceRecord(
                nanos(field.apply("time")),
                field.apply("client"),
                kind,
                path(field.apply("path")),
                destination.isEmpty() ? null : path(destination),
                size(field.apply("size")),
                false);
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
        List<String> names =
                Arrays.stream(OperationKind.values()).map(OperationKind::label).toList();
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
            // Reported below, with the text.
        }
        throw bad("size is a number of bytes, not \"" + text + "\"");
    }

    /** Describes an error in the current row. */
    public FsException bad(String why) {
        return FsException.invalidArgument(place.get() + ": " + why);
    }
}
