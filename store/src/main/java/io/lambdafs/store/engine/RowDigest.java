package io.lambdafs.store.engine;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the rows of one table, in the order in which they are added: the parts of the key, the values including
 * defaults, and unknown columns; numbers in eight bytes, everything else preceded by its length. The checksum is the
 * CRC-32C of these bytes and, in its lower half, their CRC-32: it finds damaged or missing rows, not forged ones.
 * Single use, not thread-safe.
 */
public final class RowDigest {
    private static final int BUFFER_BYTES = 64 << 10;

    // Both are fast from the first row on: a cryptographic hash is so only when it has been compiled, which takes
    // longer than a table.
    private final CRC32C upper = new CRC32C();
    private final CRC32 lower = new CRC32();
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long rows;
    private @Nullable Key last;

    /** Adds a row. */
    public void add(Row row) {
        Table table = row.key().table();
        for (int i = 0; i < table.keySize(); i++) {
            add(row.key().part(i));
        }
        for (int i = 0; i < table.valueSize(); i++) {
            add(row.value(i));
        }
        add(row.unknown());
        rows++;
        last = row.key();
    }

    private void add(Object value) {
        if (value instanceof Long number) {
            demand(Long.BYTES);
            buffer.putLong(number);
        } else {
            add(value instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) value);
        }
    }

    private void add(byte[] bytes) {
        demand(Integer.BYTES);
        buffer.putInt(bytes.length);
        if (bytes.length <= buffer.remaining()) {
            buffer.put(bytes);
        } else {
            flush();
            upper.update(bytes);
            lower.update(bytes);
        }
    }

    private void demand(int bytes) {
        if (buffer.remaining() < bytes) {
            flush();
        }
    }

    private void flush() {
        upper.update(buffer.array(), 0, buffer.position());
        lower.update(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    /** Returns how many rows were added. */
    public long rows() {
        return rows;
    }

    /** Ends it. */
    public RowSum sum() {
        flush();
        return new RowSum(rows, last, upper.getValue() << Integer.SIZE | lower.getValue());
    }
}
