package io.lambdafs.store.server;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Column;
import io.lambdafs.store.Guard;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes keys, rows, guards and mutations on the wire, with types from the schema. Anything that does not fit the
 * schema is a {@code BAD_FRAME}. Stateless.
 */
final class RowWire {
    private static final int PUT = 1;
    private static final int DELETE = 2;
    private static final int MERGE = 3;
    private static final int APPEND = 4;
    private static final int LIMITED_MERGE = 5;
    private static final int ADD = 1;
    private static final int MAX = 2;
    private static final int PRESENT = 1;
    private static final int ABSENT = 2;
    private static final int SAME = 3;
    private static final int BELOW = 4;
    private static final int ANY = 5;

    /** Flag in a table's number: optional columns, prefixed by their length, follow the required ones. */
    private static final int MORE = 0x80;

    private RowWire() {}

    static Table readTable(WireReader in) {
        return table(in.readByte());
    }

    private static Table table(int number) {
        if (number < 1 || number > Schema.TABLES.size()) {
            throw WireReader.bad("no table has the number " + number);
        }
        return Schema.table(number);
    }

    static void writePart(WireWriter out, Object part) {
        if (part instanceof Long number) {
            out.writeLong(number);
        } else {
            out.writeString((String) part);
        }
    }

    static Object readPart(WireReader in, Column.Type type) {
        return type == Column.Type.INT64 ? (Object) in.readLong() : in.readString();
    }

    static void writeKey(WireWriter out, Key key) {
        out.writeByte(key.table().number());
        writeParts(out, key);
    }

    private static void writeParts(WireWriter out, Key key) {
        for (int i = 0; i < key.table().keySize(); i++) {
            writePart(out, key.part(i));
        }
    }

    static Key readKey(WireReader in) {
        return readParts(in, readTable(in));
    }

    private static Key readParts(WireReader in, Table table) {
        Object[] parts = new Object[table.keySize()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = readPart(in, table.keyType(i));
        }
        return table.key(parts);
    }

    static void writeRow(WireWriter out, Row row) {
        Table table = row.key().table();
        boolean more = row.storedSize() > table.requiredSize() || row.unknown().length > 0;
        out.writeByte(table.number() | (more ? MORE : 0));
        writeParts(out, row.key());
        RowColumns.write(out, row, 0, table.requiredSize());
        if (more) {
            WireWriter later = new WireWriter(64);
            RowColumns.write(later, row, table.requiredSize());
            out.writeBytes(later.buffer(), 0, later.size());
        }
    }

    static Row readRow(WireReader in) {
        int number = in.readByte() & 0xff;
        Key key = readParts(in, table(number & ~MORE));
        Object[] required = new Object[key.table().requiredSize()];
        RowColumns.readRequired(key, in, required);
        if ((number & MORE) == 0) {
            return new Row(key, required);
        }
        Object[] values = Arrays.copyOf(required, key.table().valueSize());
        return RowColumns.readLater(key, new WireReader(in.readBytes()), values);
    }

    static void writeMutation(WireWriter out, Mutation mutation) {
        if (mutation instanceof Mutation.Put put) {
            out.writeByte(PUT);
            writeRow(out, put.row());
        } else if (mutation instanceof Mutation.Delete delete) {
            out.writeByte(DELETE);
            writeKey(out, delete.key());
        } else if (mutation instanceof Mutation.Merge merge) {
            out.writeByte(merge.limited() ? LIMITED_MERGE : MERGE);
            writeKey(out, merge.key());
            out.writeSize(merge.deltas().size());
            for (Mutation.Delta delta : merge.deltas()) {
                out.writeInt(delta.column());
                out.writeByte(delta.kind() == Mutation.Delta.Kind.ADD ? ADD : MAX);
                out.writeLong(delta.operand());
            }
        } else if (mutation instanceof Mutation.Append append) {
            out.writeByte(APPEND);
            writeRow(out, append.row());
        }
    }

    static Mutation readMutation(WireReader in) {
        int kind = in.readByte();
        return switch (kind) {
            case PUT -> new Mutation.Put(readRow(in));
            case DELETE -> new Mutation.Delete(readKey(in));
            case MERGE, LIMITED_MERGE -> readMerge(in, kind == LIMITED_MERGE);
            case APPEND -> readAppend(in);
            default -> throw WireReader.bad("no such mutation: " + kind);
        };
    }

    private static Mutation readAppend(WireReader in) {
        Row row = readRow(in);
        if (!row.key().equals(ChangeLog.UNPLACED)) {
            throw WireReader.bad("not an entry of the change log: " + row.key());
        }
        return new Mutation.Append(row);
    }

    private static Mutation readMerge(WireReader in, boolean limited) {
        Key key = readKey(in);
        if (limited && !key.table().equals(Schema.DIRECTORY_TOTALS)) {
            throw WireReader.bad(key.table() + " has no limits");
        }
        int count = in.readCount(3);
        List<Mutation.Delta> deltas = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int column = in.readInt();
            int kind = in.readByte();
            if (kind != ADD && kind != MAX) {
                throw WireReader.bad("no such delta: " + kind);
            }
            deltas.add(new Mutation.Delta(
                    column, kind == ADD ? Mutation.Delta.Kind.ADD : Mutation.Delta.Kind.MAX, in.readLong()));
        }
        return new Mutation.Merge(key, deltas, limited);
    }

    static void writeGuard(WireWriter out, Guard guard) {
        if (guard instanceof Guard.Present) {
            out.writeByte(PRESENT);
        } else if (guard instanceof Guard.Absent) {
            out.writeByte(ABSENT);
        } else if (guard instanceof Guard.Same same) {
            out.writeByte(SAME);
            writeRow(out, same.expected());
        } else if (guard instanceof Guard.Below below) {
            out.writeByte(BELOW);
            out.writeLong(below.limit());
        } else if (guard instanceof Guard.Any) {
            out.writeByte(ANY);
        }
    }

    /** @param table of the guarded row */
    static Guard readGuard(WireReader in, Table table) {
        int kind = in.readByte();
        if (kind == BELOW && (table.valueSize() == 0 || table.valueType(0) != Column.Type.INT64)) {
            throw WireReader.bad(table + " has no number to compare");
        }
        return switch (kind) {
            case PRESENT -> new Guard.Present();
            case ABSENT -> new Guard.Absent();
            case SAME -> new Guard.Same(readRow(in));
            case BELOW -> new Guard.Below(in.readLong());
            case ANY -> new Guard.Any();
            default -> throw WireReader.bad("no such guard: " + kind);
        };
    }
}
