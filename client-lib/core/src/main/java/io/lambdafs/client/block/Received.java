package io.lambdafs.client.block;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Received bytes, which the thread that wants them compares with their checksums. For one thread, once.
 *
 * @param buffer contains them, possibly damaged; for callers that want only the buffer
 * @param check returns them once they are checked: in that buffer, or in another one if they had to be read again
 */
public record Received(ByteBuffer buffer, Supplier<CompletionStage<ByteBuffer>> check) {
    /** Returns bytes that need no check. */
    public static Received checked(ByteBuffer bytes) {
        return new Received(bytes, () -> CompletableFuture.completedFuture(bytes));
    }

    /** Returns the same bytes; if their check fails, reads them in the other way. */
    public Received or(Supplier<CompletionStage<ByteBuffer>> other) {
        return new Received(buffer, () -> check.get().exceptionallyCompose(thrown -> other.get()));
    }
}
