package io.lambdafs.door.mount.files;

import static io.lambdafs.client.BlockingLambdaFs.await;

import io.lambdafs.client.FileReader;
import java.nio.ByteBuffer;

/** Reads of whole ranges, across blocks. Stateless. */
final class Reads {
    private Reads() {}

    /** Reads bytes, fewer than asked for only at the end of the file. */
    static ByteBuffer all(FileReader source, long from, int count) throws InterruptedException {
        int length = (int) Math.max(0, Math.min(count, source.length() - from));
        if (length == 0) {
            return ByteBuffer.allocate(0);
        }
        ByteBuffer first = await(source.read(from, Math.min(length, FileReader.MAX_LENGTH)));
        if (first.remaining() == length) {
            return first;
        }
        ByteBuffer all = ByteBuffer.allocate(length).put(first);
        while (all.hasRemaining()) {
            all.put(await(source.read(from + all.position(), Math.min(all.remaining(), FileReader.MAX_LENGTH))));
        }
        return all.flip();
    }
}
