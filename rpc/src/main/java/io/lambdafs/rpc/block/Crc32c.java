package io.lambdafs.rpc.block;

/**
 * Arithmetic of CRC-32C sums, so that one pass over bytes yields the sums of the parts and of the whole: polynomials
 * modulo the CRC's, bit 31 being x⁰, as in zlib's {@code crc32_combine}. Stateless.
 */
public final class Crc32c {
    private static final int POLYNOMIAL = 0x82f6_3b78;
    private static final int ONE = 1 << 31;
    /** x to the power of 2ⁿ. */
    private static final int[] SQUARES = new int[64];

    static {
        SQUARES[0] = ONE >>> 1;
        for (int n = 1; n < SQUARES.length; n++) {
            SQUARES[n] = multiply(SQUARES[n - 1], SQUARES[n - 1]);
        }
    }

    private Crc32c() {}

    /** Returns the sum of bytes followed by others, from both sums and the number of the latter. */
    public static int join(int first, int second, long secondLength) {
        return shift(first, secondLength) ^ second;
    }

    /** Returns the sum of the last bytes, from that of all, that of those before, and their number. */
    public static int last(int all, int before, long lastLength) {
        return shift(before, lastLength) ^ all;
    }

    /** Returns the sum as it counts when that many bytes follow. */
    private static int shift(int sum, long length) {
        int power = ONE;
        int n = 3; // Eight bits to a byte.
        for (long left = length; left != 0; left >>>= 1) {
            if ((left & 1) != 0) {
                power = multiply(SQUARES[n], power);
            }
            n++;
        }
        return multiply(power, sum);
    }

    private static int multiply(int a, int b) {
        int product = 0;
        int factor = b;
        for (int bit = ONE; bit != 0; bit >>>= 1) {
            if ((a & bit) != 0) {
                product ^= factor;
            }
            factor = (factor & 1) != 0 ? factor >>> 1 ^ POLYNOMIAL : factor >>> 1;
        }
        return product;
    }
}
