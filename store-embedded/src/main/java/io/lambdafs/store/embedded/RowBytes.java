package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.server.RowColumns;

/** Encodes the values of a row: a byte for the encoding, then {@link RowColumns}. Stateless. */
final class RowBytes {
    private static final int FORMAT = 1;

    private RowBytes() {}

    static byte[] of(Row row) {
        WireWriter out = new WireWriter(96);
        out.writeByte(FORMAT);
        RowColumns.write(out, row, 0);
        return out.toByteArray();
    }

    static Row read(Key key, byte[] bytes) {
        try {
            WireReader in = new WireReader(bytes);
            int format = in.readByte();
            if (format != FORMAT) {
                throw new FsException(ErrorCode.INTERNAL, "its format is " + format + ", this version reads " + FORMAT);
            }
            return RowColumns.read(key, in);
        } catch (FsException e) {
            throw new FsException(
                    ErrorCode.INTERNAL, "cannot read the row " + key + ": " + e.getMessage() + "; restore a backup", e);
        }
    }
}
