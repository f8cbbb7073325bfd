package io.lambdafs.functions.cache;

import io.lambdafs.model.inode.INode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes INodes as bytes, a third of their size as objects: the length-prefixed UTF-8 name, twice the number of the
 * traits in a table, id, size, mtime, atime − mtime and contentId; if the traits' number is odd, stamp and floor follow.
 * Numbers are varints of seven bits a byte. The parent's id is omitted, because holders keep children of one directory
 * only. A <em>row</em> is one INode preceded by a used byte, non-zero once a walk has touched it; the rest is immutable.
 * Names are valid Unicode, as {@link io.lambdafs.model.FsPath} demands.
 */
final class INodeEncoding {
    /** Offset of the INode in a row. */
    private static final int IN_ROW = 1;
    /** Numbers of an INode that snapshots have nothing to do with. */
    private static final int BASIC = 6;

    private final byte[] bytes;
    private int at;

    /** A cursor for reading and writing. */
    private INodeEncoding(byte[] bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    /** Encodes an INode as a row. */
    static byte[] row(INode node, int traits) {
        return write(node, traits, IN_ROW);
    }

    /** Encodes a single INode. */
    static byte[] of(INode node, int traits) {
        return write(node, traits, 0);
    }

    private static byte[] write(INode node, int traits, int at) {
        byte[] name = node.name().getBytes(StandardCharsets.UTF_8);
        boolean inSnapshots = node.stamp() != 0 || node.floor() != 0;
        long[] numbers = {
            (long) traits << 1 | (inSnapshots ? 1 : 0),
            node.id(),
            node.size(),
            signed(node.mtime()),
            signed(node.atime() - node.mtime()),
            node.contentId(),
            node.stamp(),
            node.floor()
        };
        if (!inSnapshots) {
            numbers = Arrays.copyOf(numbers, BASIC);
        }
        int length = at + length(name.length) + name.length;
        for (long number : numbers) {
            length += length(number);
        }
        INodeEncoding packed = new INodeEncoding(new byte[length], at);
        packed.put(name.length);
        System.arraycopy(name, 0, packed.bytes, packed.at, name.length);
        packed.at += name.length;
        for (long number : numbers) {
            packed.put(number);
        }
        return packed.bytes;
    }

    /** Decodes the INode of a row, given its name. */
    static INode inRow(byte[] row, long parentId, String name, INode.Traits[] traits) {
        return at(row, IN_ROW, parentId, name, traits);
    }

    /** Decodes the INode at an index, given its name. */
    static INode at(byte[] bytes, int start, long parentId, String name, INode.Traits[] traits) {
        INodeEncoding packed = new INodeEncoding(bytes, start);
        int length = (int) packed.next();
        packed.at += length;
        return packed.read(parentId, name, traits);
    }

    /** Decodes the INode at an index. */
    static INode at(byte[] bytes, int start, long parentId, INode.Traits[] traits) {
        INodeEncoding packed = new INodeEncoding(bytes, start);
        int length = (int) packed.next();
        String name = new String(bytes, packed.at, length, StandardCharsets.UTF_8);
        packed.at += length;
        return packed.read(parentId, name, traits);
    }

    private INode read(long parentId, String name, INode.Traits[] traits) {
        long number = next();
        INode.Traits shared = traits[(int) (number >>> 1)];
        long id = next();
        long size = next();
        long mtime = unsigned(next());
        long atime = mtime + unsigned(next());
        INode node = new INode(parentId, name, id, shared, size, mtime, atime, next());
        return (number & 1) == 0 ? node : node.withEra(next(), next());
    }

    /** Returns whether a row's INode has that name. */
    static boolean isNamed(byte[] row, String name) {
        INodeEncoding packed = new INodeEncoding(row, IN_ROW);
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

    /** Returns the hash code of a row's name, equal to {@link String#hashCode}. */
    static int nameHash(byte[] row) {
        INodeEncoding packed = new INodeEncoding(row, IN_ROW);
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

    /** Compares the name of the INode at an index with another name, by UTF-8 bytes. */
    static int compareName(byte[] bytes, int start, byte[] utf8) {
        INodeEncoding packed = new INodeEncoding(bytes, start);
        int length = (int) packed.next();
        return Arrays.compareUnsigned(bytes, packed.at, packed.at + length, utf8, 0, utf8.length);
    }

    /** Marks a row as used; writes only if that changes it. */
    static void touch(byte[] row) {
        if (row[0] == 0) {
            row[0] = 1;
        }
    }

    /** Returns whether a row was used since the last call, and clears the mark. */
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

    /** Zigzag encoding: small numbers of either sign have small encodings. */
    private static long signed(long number) {
        return (number << 1) ^ (number >> 63);
    }

    private static long unsigned(long number) {
        return (number >>> 1) ^ -(number & 1);
    }
}
