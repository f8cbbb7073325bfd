package io.lambdafs.model;

/**
 * Orders names by their UTF-8 bytes, that is, by code points. UTF-16 order differs where surrogates meet U+E000 and
 * above.
 */
public final class Utf8Order {
    private Utf8Order() {}

    /** Compares two strings as their UTF-8 bytes compare, without encoding them. */
    public static int compare(String a, String b) {
        int common = Math.min(a.length(), b.length());
        for (int i = 0; i < common; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean surrogate = Character.isSurrogate(x);
                return surrogate == Character.isSurrogate(y) ? Character.compare(x, y) : surrogate ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
