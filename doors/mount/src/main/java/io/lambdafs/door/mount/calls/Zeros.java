package io.lambdafs.door.mount.calls;

import io.lambdafs.client.FileWriter;
import io.lambdafs.model.FsException;
import java.nio.ByteBuffer;

/** Zeros, by which a file is lengthened. Stateless. */
final class Zeros {
    private static final int PART = 1 << 20;

    private Zeros() {}

    /** Appends zeros and completes the file. */
    static void append(FileWriter writer, long count) throws InterruptedException {
        try {
            for (long left = count; left > 0; left -= PART) {
                writer.write(ByteBuffer.allocate((int) Math.min(PART, left)));
            }
            writer.complete();
        } catch (FsException e) {
            writer.abandon();
            throw e;
        }
    }
}
