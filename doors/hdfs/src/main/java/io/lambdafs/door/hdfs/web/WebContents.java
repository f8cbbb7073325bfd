package io.lambdafs.door.hdfs.web;

import io.lambdafs.client.FileReader;
import io.lambdafs.client.FileWriter;
import io.lambdafs.door.hdfs.calls.Contents;
import io.lambdafs.door.hdfs.calls.FileCalls;
import io.lambdafs.door.hdfs.metrics.DoorMetrics;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.body.HttpBody;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.hdfs.web.resources.BlockSizeParam;
import org.apache.hadoop.hdfs.web.resources.CreateFlagParam;
import org.apache.hadoop.hdfs.web.resources.CreateParentParam;
import org.apache.hadoop.hdfs.web.resources.LengthParam;
import org.apache.hadoop.hdfs.web.resources.OffsetParam;
import org.apache.hadoop.hdfs.web.resources.OverwriteParam;
import org.apache.hadoop.hdfs.web.resources.ReplicationParam;

/** Answers calls of the REST API that read and write contents. Thread-safe. */
final class WebContents {
    private static final long SILENT_SECONDS = 60;
    private static final short REPLICATION = 3;
    private static final long BLOCK_SIZE = 128L << 20;

    private final Contents contents;
    private final DoorMetrics metrics;
    private final Executor workers;
    private final AtomicInteger streams = new AtomicInteger();

    WebContents(Contents contents, DoorMetrics metrics, Executor workers) {
        this.contents = contents;
        this.metrics = metrics;
        this.workers = workers;
        metrics.watchStreams(streams::get);
    }

    HttpReply read(WebCall call) throws IOException {
        long from = call.number(OffsetParam.NAME, 0);
        FileReader reader = contents.read(call.path());
        if (from > reader.length()) {
            reader.close();
            throw new IOException(
                    "Offset=" + from + " out of the range [0, " + reader.length() + "]; OPEN, path=" + call.path());
        }
        long length = Math.min(call.number(LengthParam.NAME, Long.MAX_VALUE), reader.length() - from);
        return HttpReply.of(
                200,
                "application/octet-stream",
                new Download(reader, new Download.Range(call.path(), from, length), workers, new Counted()));
    }

    /** Takes the contents of a file that is new or appended to; one whose client is lost does not come to be. */
    HttpReply write(WebCall call, HttpBody body) throws IOException {
        streams.incrementAndGet();
        try {
            return take(call, body);
        } finally {
            streams.decrementAndGet();
        }
    }

    private HttpReply take(WebCall call, HttpBody body) throws IOException {
        boolean append = call.operation().equals("POST APPEND");
        FileWriter writer = append ? contents.append(call.path()) : contents.create(call.path(), making(call));
        try {
            byte[] piece = next(body);
            while (piece.length > 0) {
                ByteBuffer bytes = ByteBuffer.wrap(piece);
                metrics.wrote(piece.length);
                Failures.run(() -> writer.write(bytes), call.path());
                piece = next(body);
            }
            Failures.run(writer::complete, call.path());
        } catch (IOException | RuntimeException e) {
            abandon(writer, call.path(), e);
            throw e;
        }
        return append ? WebReplies.done() : HttpReply.empty(201);
    }

    /** Counts a download. */
    private final class Counted implements Download.Observer {
        Counted() {
            streams.incrementAndGet();
        }

        @Override
        public void read(int bytes) {
            metrics.read(bytes);
        }

        @Override
        public void ended() {
            streams.decrementAndGet();
        }
    }

    private static void abandon(FileWriter writer, String path, Exception why) {
        try {
            Failures.run(writer::abandon, path);
        } catch (IOException left) {
            why.addSuppressed(left);
        }
    }

    private static byte[] next(HttpBody body) throws IOException {
        try {
            return body.next().toCompletableFuture().get(SILENT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the contents ended before their end", e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("no contents came for " + SILENT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the door stops");
        }
    }

    private static FileCalls.Making making(WebCall call) {
        String told = call.get(CreateFlagParam.NAME, "");
        EnumSet<CreateFlag> flags =
                told.isEmpty() ? EnumSet.of(CreateFlag.CREATE) : EnumSet.copyOf(new CreateFlagParam(told).getValue());
        if (call.flag(OverwriteParam.NAME)) {
            flags.add(CreateFlag.OVERWRITE);
        }
        return new FileCalls.Making(
                WebWrites.permission(call, true),
                flags,
                Boolean.parseBoolean(call.get(CreateParentParam.NAME, "true")),
                (short) call.number(ReplicationParam.NAME, REPLICATION),
                call.number(BlockSizeParam.NAME, BLOCK_SIZE));
    }
}
