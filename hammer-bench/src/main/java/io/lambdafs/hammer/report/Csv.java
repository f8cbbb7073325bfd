package io.lambdafs.hammer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Rows as CSV (RFC 4180, lines end with {@code \n}). Stateless. */
public final class Csv {
    private Csv() {}

    /**
     * Returns a line of names, and a line for each row.
     *
     * @param rows objects whose values are not objects; an array's elements are separated by spaces in one field;
     * missing values are empty
     */
    public static String of(Iterable<? extends JsonNode> rows) {
        Set<String> columns = new LinkedHashSet<>();
        rows.forEach(row -> row.fieldNames().forEachRemaining(columns::add));
        StringBuilder text = new StringBuilder();
        line(text, columns);
        for (JsonNode row : rows) {
            line(text, columns.stream().map(column -> cell(row.path(column))).toList());
        }
        return text.toString();
    }

    /** Returns a value as the text of a field, not yet quoted. */
    public static String cell(JsonNode value) {
        if (!value.isArray()) {
            return value.isNull() ? "" : value.asText();
        }
        List<String> each = new ArrayList<>();
        value.forEach(one -> each.add(cell(one)));
        return String.join(" ", each);
    }

    private static void line(StringBuilder text, Iterable<String> fields) {
        String comma = "";
        for (String field : fields) {
            boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
            text.append(comma).append(plain ? field : "\"" + field.replace("\"", "\"\"") + "\"");
            comma = ",";
        }
        text.append('\n');
    }
}
