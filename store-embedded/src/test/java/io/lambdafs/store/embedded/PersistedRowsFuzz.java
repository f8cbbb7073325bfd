package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.fuzz.Finding;
import io.lambdafs.store.Column;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import java.util.Arrays;

/**
 * Fuzzes the rows that a scan finds on disk: the first byte names the table, the second the length of the key's end,
 * which follows; the rest is
 * the row. Damage is told as such, by an {@code INTERNAL} error.
 */
public final class PersistedRowsFuzz {
    private PersistedRowsFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < 2) {
            return;
        }
        Table table = Schema.TABLES.get((input[0] & 0xff) % Schema.TABLES.size());
        int split = Math.min(input.length, 2 + (input[1] & 0xff));
        anyKey(Arrays.copyOfRange(input, 2, split));
        try {
            Key key = table.keySize() == 2 ? scanned(table, Arrays.copyOfRange(input, 2, split)) : unscanned(table);
            row(key, Arrays.copyOfRange(input, split, input.length));
        } catch (FsException damage) {
            if (damage.code() != ErrorCode.INTERNAL) {
                throw damage;
            }
        }
    }

    private static void anyKey(byte[] bytes) {
        try {
            Key key = KeyBytes.read(bytes);
            if (!Arrays.equals(KeyBytes.of(key), bytes)) {
                throw new Finding("read again it is another key: " + key);
            }
        } catch (FsException damage) {
            if (damage.code() != ErrorCode.INTERNAL) {
                throw damage;
            }
        }
    }

    private static Key unscanned(Table table) {
        return table.key(table.keyType(0) == Column.Type.INT64 ? (Object) 7L : "seven");
    }

    private static Key scanned(Table table, byte[] end) {
        Object partition = table.keyType(0) == Column.Type.INT64 ? (Object) 7L : "seven";
        Scan scan = new Scan(table, partition, null, 1);
        byte[] prefix = KeyBytes.prefix(scan);
        byte[] whole = Arrays.copyOf(prefix, prefix.length + end.length);
        System.arraycopy(end, 0, whole, prefix.length, end.length);
        Key key = KeyBytes.inScan(scan, prefix.length, whole);
        if (!KeyBytes.read(whole).equals(key)) {
            throw new Finding("read whole it is another key than " + key);
        }
        if (!Arrays.equals(KeyBytes.of(key), whole)) {
            throw new Finding("read again it is another key: " + key);
        }
        return key;
    }

    private static void row(Key key, byte[] bytes) {
        Row row = RowBytes.read(key, bytes);
        byte[] once = RowBytes.of(row);
        if (!RowBytes.read(key, once).equals(row)) {
            throw new Finding("read again it is another row: " + row);
        }
        if (key.table().equals(Schema.INODES)) {
            Rows.inode(row);
        }
    }
}
