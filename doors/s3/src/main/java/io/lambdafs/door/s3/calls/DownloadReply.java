package io.lambdafs.door.s3.calls;

import io.lambdafs.client.FileReader;
import io.lambdafs.rpc.http.body.ReplySource;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;

/** A range of a file as the body of a reply, read on workers while it is sent. For one reply. */
final class DownloadReply implements ReplySource {
    private static final int PIECE_BYTES = 256 << 10;

    private final FileReader reader;
    private final Download download;
    private final long length;
    private final Executor workers;
    private final IntConsumer sent;

    /**
     * Begins.
     *
     * @param reader which it closes
     * @param workers that may wait for storage
     * @param sent told of each piece's length
     */
    DownloadReply(FileReader reader, Reading.Range range, Executor workers, IntConsumer sent) {
        this.reader = reader;
        this.download = new Download(reader, range.from(), range.length(), PIECE_BYTES);
        this.length = range.length();
        this.workers = workers;
        this.sent = sent;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public CompletionStage<byte[]> next() {
        CompletableFuture<byte[]> piece = new CompletableFuture<>();
        try {
            workers.execute(() -> {
                try {
                    byte[] bytes = download.read();
                    sent.accept(bytes.length);
                    piece.complete(bytes);
                } catch (IOException | RuntimeException e) {
                    piece.completeExceptionally(e);
                }
            });
        } catch (RuntimeException full) {
            piece.completeExceptionally(full);
        }
        return piece;
    }

    @Override
    public void close() {
        download.close();
        reader.close();
    }
}
