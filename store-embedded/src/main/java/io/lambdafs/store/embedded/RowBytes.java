package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.WireReader;
import io.lambdafs.rpc.WireWriter;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Table;

/**
 * The values of a row as bytes: a byte for the format, then the columns in order, integers zig-zag and variable in length, strings
 * and bytes after their length. Stateless.
 */
final class RowBytes {
    private static final int FORMAT = 1;

    private RowBytes() {}

    static byte[] of(Row row) {
        WireWriter out = new WireWriter(96);
        out.writeByte(FORMAT);
        Table table = row.key().table();
        for (int i = 0; i < table.valueSize(); i++) {
            switch (table.valueType(i)) {
                case INT64 -> out.writeLong(row.int64(i));
                case STRING -> out.writeString(row.string(i));
                case BYTES -> out.writeBytes(row.bytes(i));
            }
        }
        return out.toByteArray();
    }

    static Row read(Key key, byte[] bytes) {
        try {
            WireReader in = new WireReader(bytes);
            int format = in.readByte();
            if (format != FORMAT) {
                throw new FsException(ErrorCode.INTERNAL, "its format is " + format + ", this version reads " + FORMAT);
            }
            Table table = key.table();
            Object[] values = new Object[table.valueSize()];
            for (int i = 0; i < values.length; i++) {
                values[i] = switch (table.valueType(i)) {
                    case INT64 -> in.readLong();
                    case STRING -> in.readString();
                    case BYTES -> in.readBytes();
                };
            }
            in.expectEnd();
            return new Row(key, values);
        } catch (FsException e) {
            throw new FsException(
                    ErrorCode.INTERNAL, "cannot read the row " + key + ": " + e.getMessage() + "; restore a backup", e);
        }
    }
}
