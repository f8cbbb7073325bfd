package io.lambdafs.model;

import java.util.HexFormat;

/**
 * The keys of blocks' objects in a block store: {@code blocks/<2 digits>/<block>-<generation>-<attempt>}, all hexadecimal. The two digits
 * spread the objects over folders, and over the partitions of an object store. Stateless.
 */
public final class ObjectKey {
    /** What the keys of all blocks begin with. */
    public static final String BLOCKS = "blocks/";

    public static final int MAX_CHARS = 128;

    /** Over so many buckets the keys of blocks are spread. */
    public static final int BUCKETS = 256;

    private static final HexFormat HEX = HexFormat.of();

    private ObjectKey() {}

    /**
     * The key of one attempt to upload a block.
     *
     * @param attempt random, so that no two attempts have the same
     */
    public static String of(long block, long generation, long attempt) {
        int spread = (int) ((block * 0x9E3779B97F4A7C15L) >>> 56);
        return BLOCKS + HEX.toHexDigits((byte) spread) + "/" + HEX.toHexDigits(block) + "-"
                + HEX.toHexDigits(generation) + "-" + HEX.toHexDigits(attempt);
    }

    /** What the keys of a bucket begin with. */
    public static String prefix(int bucket) {
        return BLOCKS + HEX.toHexDigits((byte) bucket) + "/";
    }

    /** The bucket that the key of a block is in; the first where it has no such form. */
    public static int bucket(String key) {
        int at = BLOCKS.length();
        return key.startsWith(BLOCKS)
                        && key.length() > at + 2
                        && HexFormat.isHexDigit(key.charAt(at))
                        && HexFormat.isHexDigit(key.charAt(at + 1))
                ? HexFormat.fromHexDigits(key, at, at + 2)
                : 0;
    }

    /** Returns whether a text may be a key: path components of letters, digits, '-', '_' and '.', none of which begins with a '.'. */
    public static boolean isValid(String key) {
        if (key.isEmpty() || key.length() > MAX_CHARS) {
            return false;
        }
        char before = '/';
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            boolean inside = before != '/' && (c == '.' || c == '/');
            if (!plain && !inside && c != '-' && c != '_') {
                return false;
            }
            before = c;
        }
        return before != '/';
    }
}
