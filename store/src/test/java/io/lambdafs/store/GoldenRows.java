package io.lambdafs.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;

/** Rows as the golden files have them: a line for each, with the values that are stored, in the order of the lines. Stateless. */
public final class GoldenRows {
    private static final int SHOWN_BYTES = 64;

    private GoldenRows() {}

    /** Columns that were added after a row was stored are left out. */
    public static List<String> lines(Iterable<Row> rows) {
        List<String> lines = new ArrayList<>();
        for (Row row : rows) {
            StringBuilder line = new StringBuilder(row.key().toString()).append(':');
            Object[] values = row.values();
            for (int i = 0; i < row.storedSize(); i++) {
                line.append(' ').append(text(values[i]));
            }
            lines.add(line.toString());
        }
        Collections.sort(lines);
        return lines;
    }

    private static String text(Object value) {
        if (value instanceof byte[] bytes) {
            if (bytes.length <= SHOWN_BYTES) {
                return "0x" + HexFormat.of().formatHex(bytes);
            }
            CRC32C sum = new CRC32C();
            sum.update(bytes);
            return bytes.length + " bytes, crc32c " + sum.getValue();
        }
        return value instanceof String text ? "'" + text + "'" : value.toString();
    }
}
