package io.lambdafs.model.block;

import java.util.HexFormat;

/**
 * The keys of blocks' objects in a block store: {@code blocks/<2 digits>/<block>-<generation>-<attempt>}, all
 * hexadecimal. The two digits spread objects over folders and over an object store's partitions. Stateless.
 */
public final class ObjectKey {
    /** The prefix of all blocks' keys. */
    public static final String BLOCKS = "blocks/";

    public static final int MAX_CHARS = 128;

    /** The number of buckets that blocks' keys are spread over. */
    public static final int BUCKETS = 256;

    private static final HexFormat HEX = HexFormat.of();

    private ObjectKey() {}

    /**
     * Returns the key for one attempt to upload a block.
     *
     * @param attempt random, so that no two attempts share a key
     */
    public static String of(long block, long generation, long attempt) {
        int spread = (int) ((block * 0x9E3779B97F4A7C15L) >>> 56);
        return BLOCKS + HEX.toHexDigits((byte) spread) + "/" + HEX.toHexDigits(block) + "-"
                + HEX.toHexDigits(generation) + "-" + HEX.toHexDigits(attempt);
    }

    /** Returns the prefix of a bucket's keys. */
    public static String prefix(int bucket) {
        return BLOCKS + HEX.toHexDigits((byte) bucket) + "/";
    }

    /** Returns the bucket of a block's key; the first for a key of any other form. */
    public static int bucket(String key) {
        int at = BLOCKS.length();
        return key.startsWith(BLOCKS)
                        && key.length() > at + 2
                        && HexFormat.isHexDigit(key.charAt(at))
                        && HexFormat.isHexDigit(key.charAt(at + 1))
                ? HexFormat.fromHexDigits(key, at, at + 2)
                : 0;
    }

    /**
     * Returns whether a string is a valid key: path components of letters, digits, '-', '_' and '.', none starting with
     * '.'.
     */
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
