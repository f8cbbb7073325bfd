package io.lambdafs.hammer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A table for a terminal: a line of headers, then a line for each row. Columns are separated by a space and stand in the
 * order in which they were added. Confined to one thread.
 *
 * @param <R> a row
 */
public final class TextTable<R> {
    private final List<Column<R>> columns = new ArrayList<>();
    private String separator = "";

    /** @param pad formats a text to the column's width */
    private record Column<R>(String separator, String pad, String header, Function<? super R, String> cell) {
        String text(String value) {
            return separator + String.format(Locale.ROOT, pad, value);
        }
    }

    /** Adds a column of texts, aligned to the left. */
    public TextTable<R> left(String header, int width, Function<? super R, String> cell) {
        return add(header, "%-" + width + "s", cell);
    }

    /** Adds a column of texts, aligned to the right. */
    public TextTable<R> right(String header, int width, Function<? super R, String> cell) {
        return add(header, "%" + width + "s", cell);
    }

    /** Adds a column of numbers, aligned to the right. */
    public TextTable<R> number(String header, int width, String format, Function<? super R, ? extends Number> cell) {
        return right(header, width, row -> String.format(Locale.ROOT, format, cell.apply(row)));
    }

    /** Sets the next column off by more spaces. */
    public TextTable<R> gap(int spaces) {
        separator = " ".repeat(spaces);
        return this;
    }

    private TextTable<R> add(String header, String pad, Function<? super R, String> cell) {
        columns.add(new Column<>(separator, pad, header, cell));
        separator = " ";
        return this;
    }

    /** Returns the table, each line with its end. */
    public String of(Iterable<? extends R> rows) {
        StringBuilder text = new StringBuilder(line(Column::header)).append('\n');
        rows.forEach(row -> text.append(row(row)).append('\n'));
        return text.toString();
    }

    /** Returns a row's line, without its end. */
    public String row(R row) {
        return line(column -> column.cell().apply(row));
    }

    private String line(Function<Column<R>, String> cell) {
        return columns.stream()
                .map(column -> column.text(cell.apply(column)))
                .collect(Collectors.joining())
                .stripTrailing();
    }
}
