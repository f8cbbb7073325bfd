package io.lambdafs.client.block;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Bytes that have come, and are held against their checksums by the thread that wants them. For one thread, once.
 *
 * @param buffer that they are in, for who wants the buffer only: they may be wrong
 * @param check gives them once they have been summed up: in that buffer, or in another one where they had to be read
 *     again
 */
public record Received(ByteBuffer buffer, Supplier<CompletionStage<ByteBuffer>> check) {
    /** Returns bytes that need no check. */
    public static Received checked(ByteBuffer bytes) {
        return new Received(bytes, () -> CompletableFuture.completedFuture(bytes));
    }

    /** Returns the same bytes; where they have to be read again and that fails, the other way is gone. */
    public Received or(Supplier<CompletionStage<ByteBuffer>> other) {
        return new Received(buffer, () -> check.get().exceptionallyCompose(thrown -> other.get()));
    }
}
