package io.lambdafs.cluster.dump;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lambdafs.store.Column;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Rows as lines of JSON, each an array: the key columns, the value columns, and the bytes of columns that a later
 * version has added and this one does not know, if any. Bytes are in base64. Stateless.
 */
final class RowLines {
    private static final JsonFactory JSON = JsonFactory.builder().build().setRootValueSeparator(null);

    private RowLines() {}

    /** Collects lines. Not thread-safe. */
    static final class Writer {
        private final ByteArrayOutputStream bytes;
        private final JsonGenerator json;
        private int rows;

        Writer(int capacity) {
            bytes = new ByteArrayOutputStream(capacity);
            try {
                json = JSON.createGenerator(bytes);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** @param columns the number of values to write; the others are defaults */
        void add(Row row, int columns) {
            try {
                json.writeStartArray();
                for (int i = 0; i < row.key().table().keySize(); i++) {
                    write(json, row.key().part(i));
                }
                for (int i = 0; i < columns; i++) {
                    write(json, row.value(i));
                }
                if (row.unknown().length > 0) {
                    json.writeBinary(row.unknown());
                }
                json.writeEndArray();
                json.writeRaw('\n');
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            rows++;
        }

        int rows() {
            return rows;
        }

        /** Returns the number of bytes so far; may not count the last few yet. */
        int size() {
            return bytes.size();
        }

        byte[] take() {
            try {
                json.flush();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            byte[] taken = bytes.toByteArray();
            bytes.reset();
            rows = 0;
            return taken;
        }
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value instanceof String text) {
            json.writeString(text);
        } else {
            json.writeBinary((byte[]) value);
        }
    }

    /**
     * Iterates over the lines of a segment, with one row in memory at a time. Fails with {@code UncheckedIOException}
     * or {@code IllegalArgumentException} at the first one that is no row of the table.
     *
     * @param columns the number of value columns that the writer knew; the others read as their defaults
     */
    static Iterator<Row> read(Table table, int columns, byte[] lines) {
        try {
            return new Reader(table, columns, JSON.createParser(lines));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Iterates over rows. Not thread-safe. */
    private static final class Reader implements Iterator<Row> {
        private final Table table;
        private final int columns;
        private final JsonParser json;

        Reader(Table table, int columns, JsonParser json) throws IOException {
            this.table = table;
            this.columns = columns;
            this.json = json;
            json.nextToken();
        }

        @Override
        public boolean hasNext() {
            return json.currentToken() != null;
        }

        @Override
        public Row next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            try {
                expect(json, JsonToken.START_ARRAY);
                Row row = readRow(table, columns, json);
                json.nextToken();
                return row;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Row readRow(Table table, int columns, JsonParser json) throws IOException {
        Object[] parts = new Object[table.keySize()];
        for (int i = 0; i < parts.length; i++) {
            json.nextToken();
            parts[i] = read(json, table.keyType(i));
        }
        Object[] values = new Object[columns];
        for (int i = 0; i < columns; i++) {
            json.nextToken();
            values[i] = read(json, table.valueType(i));
        }
        Row row = new Row(table.key(parts), values);
        if (json.nextToken() == JsonToken.END_ARRAY) {
            return row;
        }
        if (columns < table.valueSize()) {
            throw new IOException("it has columns that the build which wrote it did not know: load it with that build");
        }
        byte[] unknown = json.getBinaryValue();
        json.nextToken();
        expect(json, JsonToken.END_ARRAY);
        return row.withUnknown(unknown);
    }

    private static Object read(JsonParser json, Column.Type type) throws IOException {
        if (type == Column.Type.INT64) {
            expect(json, JsonToken.VALUE_NUMBER_INT);
            return json.getLongValue();
        }
        expect(json, JsonToken.VALUE_STRING);
        return type == Column.Type.STRING ? json.getText() : (Object) json.getBinaryValue();
    }

    private static void expect(JsonParser json, JsonToken token) throws IOException {
        if (json.currentToken() != token) {
            throw new IOException(json.currentToken() + " instead of " + token + " in line "
                    + json.currentTokenLocation().getLineNr());
        }
    }

    /**
     * Returns a key from a manifest's parts; fails with {@code IllegalArgumentException} if they are no key of the
     * table.
     */
    static Key key(Table table, List<?> parts) {
        return table.key(parts.stream()
                .map(each -> each instanceof Integer number ? (Object) number.longValue() : each)
                .toArray());
    }
}
