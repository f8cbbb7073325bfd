package io.lambdafs.door.hdfs.web;

import io.lambdafs.client.FileReader;
import io.lambdafs.client.ReadAhead;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.rpc.http.body.ReplySource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A range of a file, read while it is sent. For one reply. */
final class Download implements ReplySource {
    private static final int PIECE_BYTES = 256 << 10;

    private final FileReader reader;
    private final ReadAhead ahead;
    private final Range range;
    private final Executor workers;
    private final Observer observer;
    private long done;

    /** The range. */
    record Range(String path, long from, long length) {}

    /** Observes a download. */
    interface Observer {
        void read(int bytes);

        void ended();
    }

    /** @param workers that may wait for storage */
    Download(FileReader reader, Range range, Executor workers, Observer observer) {
        this.reader = reader;
        this.ahead = new ReadAhead(reader);
        this.range = range;
        this.workers = workers;
        this.observer = observer;
    }

    @Override
    public long length() {
        return range.length();
    }

    @Override
    public CompletionStage<byte[]> next() {
        CompletableFuture<byte[]> piece = new CompletableFuture<>();
        try {
            workers.execute(() -> {
                try {
                    piece.complete(read());
                } catch (IOException | RuntimeException e) {
                    piece.completeExceptionally(e);
                }
            });
        } catch (RuntimeException full) {
            piece.completeExceptionally(full);
        }
        return piece;
    }

    private byte[] read() throws IOException {
        byte[] bytes = new byte[(int) Math.min(PIECE_BYTES, range.length() - done)];
        ByteBuffer into = ByteBuffer.wrap(bytes);
        while (into.hasRemaining()) {
            long from = range.from() + done + into.position();
            if (Failures.call(() -> ahead.read(from, into), range.path()) < 0) {
                throw new IOException(range.path() + " was cut meanwhile");
            }
        }
        done += bytes.length;
        observer.read(bytes.length);
        return bytes;
    }

    @Override
    public void close() {
        ahead.drop();
        reader.close();
        observer.ended();
    }
}
