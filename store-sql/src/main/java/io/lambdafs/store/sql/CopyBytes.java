package io.lambdafs.store.sql;

import io.lambdafs.store.Column;
import io.lambdafs.store.Row;
import io.lambdafs.store.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;

/** Rows in the binary format of {@code COPY}: the columns of {@link SqlTable}, in their order. Stateless. */
final class CopyBytes {
    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0};
    private static final int SENT_AT_ONCE = 64 << 10;
    private static final short END = -1;

    private CopyBytes() {}

    /**
     * Sends rows; encodes later ones while the first ones are on their way.
     *
     * @param rows of one table
     */
    static void send(List<Row> rows, CopyIn copy) throws SQLException {
        ByteBuffer out = ByteBuffer.allocate(SENT_AT_ONCE);
        out.put(SIGNATURE);
        out.putInt(0); // No flags.
        out.putInt(0); // No extension of the header.
        for (Row row : rows) {
            int most = mostBytes(row);
            if (most > out.remaining()) {
                flush(out, copy);
            }
            if (most > out.capacity()) {
                out = ByteBuffer.allocate(most);
            }
            write(out, row);
        }
        flush(out, copy);
        out.putShort(END);
        flush(out, copy);
        copy.endCopy();
    }

    private static void flush(ByteBuffer out, CopyIn copy) throws SQLException {
        copy.writeToCopy(out.array(), out.arrayOffset(), out.position());
        out.clear();
    }

    private static int mostBytes(Row row) {
        Table table = row.key().table();
        return row.estimatedBytes() + Integer.BYTES * (table.keySize() + table.valueSize() + 1);
    }

    private static void write(ByteBuffer out, Row row) {
        Table table = row.key().table();
        out.putShort((short) (table.keySize() + table.valueSize() + 1));
        for (int i = 0; i < table.keySize(); i++) {
            write(out, row.key().part(i));
        }
        for (int i = 0; i < table.valueSize(); i++) {
            write(out, row.value(i));
        }
        write(out, row.unknown());
    }

    private static void write(ByteBuffer out, Object value) {
        if (value instanceof Long number) {
            out.putInt(Long.BYTES).putLong(number);
            return;
        }
        byte[] bytes =
                value instanceof String text ? SqlTable.toSql(text).getBytes(StandardCharsets.UTF_8) : (byte[]) value;
        out.putInt(bytes.length).put(bytes);
    }

    /** Skips the bytes before the first row. */
    static void skipHeader(ByteBuffer in) {
        in.position(in.position() + SIGNATURE.length + Integer.BYTES);
        int extension = in.getInt();
        in.position(in.position() + extension);
    }

    /** Reads a row; returns null at the end of the data. */
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
