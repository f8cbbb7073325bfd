package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireWriter;
import io.lambdafs.store.Column;
import io.lambdafs.store.Key;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Encodes keys as bytes in the sort order of the keys of one table: the table's number; an integer as eight bytes,
 * big-endian, sign flipped; a last string as its UTF-8; any other string with 0 written as 0 255, ended by 0 1.
 * Stateless.
 */
final class KeyBytes {
    private KeyBytes() {}

    static byte[] of(Key key) {
        WireWriter out = new WireWriter(48);
        out.writeByte(key.table().number());
        int last = key.table().keySize() - 1;
        for (int i = 0; i < last; i++) {
            writePart(out, key.part(i), false);
        }
        writePart(out, key.part(last), true);
        return out.toByteArray();
    }

    /** Returns the common prefix of the keys in a scan's partition. */
    static byte[] prefix(Scan scan) {
        WireWriter out = new WireWriter(48);
        out.writeByte(scan.table().number());
        writePart(out, scan.partition(), false);
        return out.toByteArray();
    }

    /** Returns the immediate successor of some bytes. */
    static byte[] next(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length + 1);
    }

    /** Returns the common prefix of a table's keys. */
    static byte[] prefix(Table table) {
        return new byte[] {(byte) table.number()};
    }

    /**
     * Returns the first bytes after all those with a prefix; they exist because the prefix begins with a table's
     * number.
     */
    static byte[] end(byte[] prefix) {
        int length = prefix.length;
        while (prefix[length - 1] == (byte) 0xff) {
            length--;
        }
        byte[] end = Arrays.copyOf(prefix, length);
        end[length - 1]++;
        return end;
    }

    /** Decodes the key of a row found by a scan; fails with {@code INTERNAL} if damaged. */
    static Key inScan(Scan scan, int prefixLength, byte[] bytes) {
        Table table = scan.table();
        Object second = table.keyType(1) == Column.Type.INT64
                ? (Object) readLong(table, bytes, prefixLength)
                : readText(table, bytes, prefixLength);
        return table.key(scan.partition(), second);
    }

    /** Decodes a key; fails with {@code INTERNAL} if damaged or of no table. */
    static Key read(byte[] bytes) {
        Table table;
        try {
            table = Schema.table(bytes.length == 0 ? 0 : bytes[0] & 0xff);
        } catch (IllegalArgumentException unknown) {
            throw new FsException(
                    ErrorCode.INTERNAL,
                    "cannot read the key " + HexFormat.of().formatHex(bytes) + ": " + unknown.getMessage(),
                    unknown);
        }
        Object[] parts = new Object[table.keySize()];
        int at = 1;
        for (int i = 0; i < parts.length; i++) {
            boolean last = i == parts.length - 1;
            int end = last ? bytes.length : partEnd(table, bytes, at, i);
            if (end > bytes.length) {
                throw damaged(table, bytes);
            }
            parts[i] = table.keyType(i) == Column.Type.INT64
                    ? (Object) readLong(table, Arrays.copyOf(bytes, end), at)
                    : last ? readText(table, bytes, at) : readEscaped(table, bytes, at, end);
            at = end;
        }
        return table.key(parts);
    }

    /** Returns the end of a part other than the last. */
    private static int partEnd(Table table, byte[] bytes, int at, int part) {
        if (table.keyType(part) == Column.Type.INT64) {
            return at + Long.BYTES;
        }
        for (int i = at; i + 1 < bytes.length; i++) {
            if (bytes[i] == 0 && bytes[i + 1] == 1) {
                return i + 2;
            }
            i += bytes[i] == 0 ? 1 : 0;
        }
        throw damaged(table, bytes);
    }

    private static String readEscaped(Table table, byte[] bytes, int at, int end) {
        byte[] plain = new byte[end - 2 - at];
        int length = 0;
        for (int i = at; i < end - 2; i++) {
            plain[length++] = bytes[i];
            if (bytes[i] == 0 && bytes[++i] != (byte) 0xff) {
                throw damaged(table, bytes);
            }
        }
        return readText(table, Arrays.copyOf(plain, length), 0);
    }

    private static void writePart(WireWriter out, Object part, boolean last) {
        if (part instanceof Long number) {
            out.writeFixedLong(number ^ Long.MIN_VALUE);
            return;
        }
        byte[] text = utf8((String) part);
        if (last) {
            out.writeRaw(text);
            return;
        }
        for (byte b : text) {
            out.writeByte(b);
            if (b == 0) {
                out.writeByte(0xff);
            }
        }
        out.writeByte(0);
        out.writeByte(1);
    }

    private static byte[] utf8(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    throw new IllegalArgumentException("a key cannot hold half a character (an unpaired surrogate)");
                }
                i++;
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long readLong(Table table, byte[] bytes, int at) {
        if (bytes.length != at + Long.BYTES) {
            throw damaged(table, bytes);
        }
        return ByteBuffer.wrap(bytes).getLong(at) ^ Long.MIN_VALUE;
    }

    private static String readText(Table table, byte[] bytes, int at) {
        String text = new String(bytes, at, bytes.length - at, StandardCharsets.UTF_8);
        // A replacement character may be damage, or itself.
        if (text.indexOf('\ufffd') >= 0
                && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), Arrays.copyOfRange(bytes, at, bytes.length))) {
            throw damaged(table, bytes);
        }
        return text;
    }

    private static FsException damaged(Table table, byte[] bytes) {
        return new FsException(
                ErrorCode.INTERNAL,
                "cannot read the key " + HexFormat.of().formatHex(bytes) + " of " + table + "; restore a backup");
    }
}
