package io.lambdafs.functions.cache;

import io.lambdafs.model.INode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * INodes as bytes, a third of what they take as objects: the name in UTF-8 behind its length; then the number of the traits in a table, id,
 * size, mtime, atime − mtime and contentId. Numbers are of variable length, seven bits a byte. The parent's id is left out: whoever
 * holds the bytes holds only children of one directory. A <em>row</em> is one INode after a byte that is not 0 once a walk
 * came by; the rest of it is never changed. Names are valid Unicode, as {@link io.lambdafs.model.FsPath} demands.
 */
final class PackedINode {
    /** Where the INode begins in a row. */
    private static final int IN_ROW = 1;

    private final byte[] bytes;
    private int at;

    /** A place in the bytes; what the methods below use to read and write. */
    private PackedINode(byte[] bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    /** A row by itself. */
    static byte[] row(INode node, int traits) {
        return write(node, traits, IN_ROW);
    }

    /** An INode by itself. */
    static byte[] of(INode node, int traits) {
        return write(node, traits, 0);
    }

    private static byte[] write(INode node, int traits, int at) {
        byte[] name = node.name().getBytes(StandardCharsets.UTF_8);
        long[] numbers = {
            traits, node.id(), node.size(), signed(node.mtime()), signed(node.atime() - node.mtime()), node.contentId()
        };
        int length = at + length(name.length) + name.length;
        for (long number : numbers) {
            length += length(number);
        }
        PackedINode packed = new PackedINode(new byte[length], at);
        packed.put(name.length);
        System.arraycopy(name, 0, packed.bytes, packed.at, name.length);
        packed.at += name.length;
        for (long number : numbers) {
            packed.put(number);
        }
        return packed.bytes;
    }

    /** The INode of a row, whose name the caller knows. */
    static INode inRow(byte[] row, long parentId, String name, INode.Traits[] traits) {
        return at(row, IN_ROW, parentId, name, traits);
    }

    /** The INode that begins at an index, whose name the caller knows. */
    static INode at(byte[] bytes, int start, long parentId, String name, INode.Traits[] traits) {
        PackedINode packed = new PackedINode(bytes, start);
        int length = (int) packed.next();
        packed.at += length;
        return packed.read(parentId, name, traits);
    }

    /** The INode that begins at an index. */
    static INode at(byte[] bytes, int start, long parentId, INode.Traits[] traits) {
        PackedINode packed = new PackedINode(bytes, start);
        int length = (int) packed.next();
        String name = new String(bytes, packed.at, length, StandardCharsets.UTF_8);
        packed.at += length;
        return packed.read(parentId, name, traits);
    }

    private INode read(long parentId, String name, INode.Traits[] traits) {
        INode.Traits shared = traits[(int) next()];
        long id = next();
        long size = next();
        long mtime = unsigned(next());
        long atime = mtime + unsigned(next());
        return new INode(parentId, name, id, shared, size, mtime, atime, next());
    }

    /** Whether a row's INode has that name. */
    static boolean isNamed(byte[] row, String name) {
        PackedINode packed = new PackedINode(row, IN_ROW);
        int length = (int) packed.next();
        int start = packed.at;
        if (length < name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 0x80) {
                byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
                return Arrays.equals(row, start, start + length, utf8, 0, utf8.length);
            }
            if (row[start + i] != c) {
                return false;
            }
        }
        return length == name.length();
    }

    /** The hash code of the name of a row's INode, as {@link String#hashCode} has it. */
    static int nameHash(byte[] row) {
        PackedINode packed = new PackedINode(row, IN_ROW);
        int length = (int) packed.next();
        int start = packed.at;
        int hash = 0;
        for (int i = start; i < start + length; i++) {
            if (row[i] < 0) {
                return new String(row, start, length, StandardCharsets.UTF_8).hashCode();
            }
            hash = 31 * hash + row[i];
        }
        return hash;
    }

    /** The order of the name of the INode that begins at an index and of another name, by their UTF-8 bytes. */
    static int compareName(byte[] bytes, int start, byte[] utf8) {
        PackedINode packed = new PackedINode(bytes, start);
        int length = (int) packed.next();
        return Arrays.compareUnsigned(bytes, packed.at, packed.at + length, utf8, 0, utf8.length);
    }

    /** Says that a walk came by a row; writes only where that changes something. */
    static void touch(byte[] row) {
        if (row[0] == 0) {
            row[0] = 1;
        }
    }

    /** Whether a walk came by a row since the last call. */
    static boolean takeUsed(byte[] row) {
        boolean was = row[0] != 0;
        row[0] = 0;
        return was;
    }

    private long next() {
        long value = bytes[at++];
        if (value >= 0) {
            return value;
        }
        value &= 0x7f;
        for (int shift = 7; ; shift += 7) {
            long part = bytes[at++];
            value |= (part & 0x7f) << shift;
            if (part >= 0) {
                return value;
            }
        }
    }

    private void put(long number) {
        long rest = number;
        while ((rest & ~0x7fL) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
    }

    private static int length(long number) {
        return number == 0 ? 1 : (70 - Long.numberOfLeadingZeros(number)) / 7;
    }

    /** Numbers near 0 of either sign become small ones without. */
    private static long signed(long number) {
        return (number << 1) ^ (number >> 63);
    }

    private static long unsigned(long number) {
        return (number >>> 1) ^ -(number & 1);
    }
}
