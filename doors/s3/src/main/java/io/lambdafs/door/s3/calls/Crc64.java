package io.lambdafs.door.s3.calls;

import java.util.zip.Checksum;

/** CRC-64/NVME. For one thread. */
final class Crc64 implements Checksum {
    private static final long POLYNOMIAL = 0x9A6C9329AC4BC9B5L;
    private static final int BYTES = 256;
    private static final long[] TABLE = new long[BYTES];

    static {
        for (int i = 0; i < BYTES; i++) {
            long value = i;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                value = (value & 1) == 0 ? value >>> 1 : (value >>> 1) ^ POLYNOMIAL;
            }
            TABLE[i] = value;
        }
    }

    private long state = -1;

    @Override
    public void update(int b) {
        state = TABLE[(int) (state ^ b) & (BYTES - 1)] ^ (state >>> Byte.SIZE);
    }

    @Override
    public void update(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            update(bytes[i]);
        }
    }

    @Override
    public long getValue() {
        return ~state;
    }

    @Override
    public void reset() {
        state = -1;
    }
}
