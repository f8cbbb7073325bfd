package io.lambdafs.store.sql;

import io.lambdafs.store.Column;
import io.lambdafs.store.Row;
import io.lambdafs.store.Table;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in the binary format of {@code COPY}: the columns of {@link SqlTable}, in their order. Stateless. */
final class CopyBytes {
    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0};
    private static final int ROW_BYTES = 256;
    private static final int END = -1;

    private CopyBytes() {}

    /** @param rows of one table */
    static byte[] of(List<Row> rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(rows.size() * ROW_BYTES);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(SIGNATURE);
            out.writeInt(0); // No flags.
            out.writeInt(0); // No extension of the header.
            for (Row row : rows) {
                write(out, row);
            }
            out.writeShort(END);
        } catch (IOException e) {
            throw new IllegalStateException("an array takes what there is memory for", e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Row row) throws IOException {
        Table table = row.key().table();
        out.writeShort(table.keySize() + table.valueSize() + 1);
        for (int i = 0; i < table.keySize(); i++) {
            write(out, row.key().part(i));
        }
        for (int i = 0; i < table.valueSize(); i++) {
            write(out, row.value(i));
        }
        write(out, row.unknown());
    }

    private static void write(DataOutputStream out, Object value) throws IOException {
        if (value instanceof Long number) {
            out.writeInt(Long.BYTES);
            out.writeLong(number);
            return;
        }
        byte[] bytes =
                value instanceof String text ? SqlTable.toSql(text).getBytes(StandardCharsets.UTF_8) : (byte[]) value;
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Passes over what stands before the first row. */
    static void skipHeader(ByteBuffer in) {
        in.position(in.position() + SIGNATURE.length + Integer.BYTES);
        int extension = in.getInt();
        in.position(in.position() + extension);
    }

    /** Reads a row; null at the end of all. */
    static @Nullable Row read(Table table, ByteBuffer in) {
        if (in.getShort() == END) {
            return null;
        }
        Object[] parts = new Object[table.keySize()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = read(table.keyType(i), in);
        }
        Object[] values = new Object[table.valueSize()];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(table.valueType(i), in);
        }
        return new Row(table.key(parts), values).withUnknown(bytes(in));
    }

    private static Object read(Column.Type type, ByteBuffer in) {
        return switch (type) {
            case INT64 -> {
                in.getInt();
                yield in.getLong();
            }
            case STRING -> SqlTable.fromSql(new String(bytes(in), StandardCharsets.UTF_8));
            case BYTES -> bytes(in);
        };
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }
}
