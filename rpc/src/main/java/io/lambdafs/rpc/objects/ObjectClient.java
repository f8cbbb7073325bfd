package io.lambdafs.rpc.objects;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends signed requests to object stores by the JDK's HTTP client, trusting the JVM's CAs. Does not retry. Failures are
 * {@code FsException}s: {@code UNAVAILABLE}, {@code TIMED_OUT}, {@code TOKEN_EXPIRED}, {@code PERMISSION_DENIED},
 * {@code STORE_FULL}, {@code STORE_CONFLICT}, {@code BLOCK_MISSING}, {@code BLOCK_CORRUPT}, {@code ALREADY_EXISTS}.
 * Thread-safe.
 */
public final class ObjectClient {
    /** The maximum time in which a store may neither send nor accept data. */
    public static final Duration SILENCE = Duration.ofSeconds(60);

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int REDIRECTS = 300;
    private static final int ERRORS = 400;
    private static final int NOT_FOUND = 404;

    private final Scheduler scheduler;
    private final long silenceNanos;
    private @Nullable HttpClient http;

    /** @param scheduler whose timers end requests that are silent for too long */
    public ObjectClient(Scheduler scheduler, Duration silence) {
        this.scheduler = scheduler;
        silenceNanos = silence.toNanos();
    }

    /**
     * The content of an object to write.
     *
     * @param bytes opens the content from its first byte
     */
    public record Content(long length, Supplier<InputStream> bytes) {}

    /**
     * Writes an object unless it exists. The future may be cancelled.
     *
     * @param place of the store, in messages
     * @param headers in addition to the signed ones
     */
    public CompletableFuture<Void> put(
            SignedRequest request, Map<String, String> headers, Content content, String place, String key) {
        CompletableFuture<byte[]> answer =
                new Exchange(request, headers, content, "cannot write " + key + " in " + place).run();
        CompletableFuture<Void> written = answer.thenAccept(body -> {});
        // Cancelling one cancels the other.
        written.whenComplete((done, failure) -> answer.cancel(false));
        return written;
    }

    /**
     * Reads a range of an object; bytes beyond its end are missing, and a range entirely beyond it fails with {@code
     * BLOCK_CORRUPT}.
     */
    public CompletionStage<byte[]> get(SignedRequest request, long from, int length, String place, String key) {
        Map<String, String> range = Map.of("range", "bytes=" + from + "-" + (from + length - 1));
        return new Exchange(request, range, null, "cannot read " + key + " in " + place).run();
    }

    /** Deletes an object if it exists. */
    public CompletionStage<Void> delete(SignedRequest request, String place, String key) {
        return new Exchange(request, Map.of(), null, "cannot delete " + key + " in " + place)
                .run()
                .thenAccept(body -> {});
    }

    /** Returns the HTTP client, created on first use because it has threads. */
    private synchronized HttpClient http() {
        HttpClient client = http;
        if (client == null) {
            client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(CONNECT)
                    .build();
            http = client;
        }
        return client;
    }

    private final class Exchange {
        private final SignedRequest signed;
        private final HttpRequest request;
        private final String tried;
        private final AtomicLong sent = new AtomicLong();
        private final CompletableFuture<byte[]> result = new CompletableFuture<>();
        private Scheduler.@Nullable Timer timer;

        Exchange(SignedRequest signed, Map<String, String> headers, @Nullable Content content, String tried) {
            this.signed = signed;
            this.tried = tried;
            HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(signed.url()))
                    .method(signed.method().name(), publisher(content));
            signed.headers().forEach(builder::header);
            headers.forEach(builder::header);
            request = builder.build();
        }

        private BodyPublisher publisher(@Nullable Content content) {
            if (content == null) {
                return BodyPublishers.noBody();
            }
            Supplier<InputStream> bytes = content.bytes();
            return BodyPublishers.fromPublisher(
                    BodyPublishers.ofInputStream(() -> new Counted(bytes.get(), sent)), content.length());
        }

        CompletableFuture<byte[]> run() {
            CompletableFuture<HttpResponse<byte[]>> answer = http().sendAsync(request, this::body);
            watch(answer, -1);
            answer.whenComplete((response, failure) -> {
                stopWatching();
                if (response == null) {
                    result.completeExceptionally(failed(failure));
                } else if (isGood(response.statusCode())) {
                    result.complete(response.body());
                } else {
                    result.completeExceptionally(ObjectFailures.of(tried, response.statusCode(), response.body()));
                }
            });
            // Cancelling the result cancels the request.
            result.whenComplete((bytes, failure) -> answer.cancel(true));
            return result;
        }

        private boolean isGood(int status) {
            return switch (signed.method()) {
                case GET -> status == 206;
                case PUT -> status >= OK && status < REDIRECTS;
                case DELETE -> (status >= OK && status < REDIRECTS) || status == NOT_FOUND;
            };
        }

        /**
         * Returns a body handler that rejects replies of stores without range support, which would send the whole
         * object.
         */
        private HttpResponse.BodySubscriber<byte[]> body(HttpResponse.ResponseInfo info) {
            return isGood(info.statusCode()) || info.statusCode() >= ERRORS
                    ? BodySubscribers.ofByteArray()
                    : BodySubscribers.replacing(new byte[0]);
        }

        private synchronized void watch(CompletableFuture<?> answer, long before) {
            if (answer.isDone()) {
                return;
            }
            long now = sent.get();
            if (now == before) {
                result.completeExceptionally(new FsException(
                        ErrorCode.TIMED_OUT,
                        tried + ": the object store has been silent for "
                                + Duration.ofNanos(silenceNanos).toSeconds() + " s"));
                return;
            }
            try {
                timer = scheduler.schedule(silenceNanos, () -> watch(answer, now));
            } catch (FsException stopping) {
                result.completeExceptionally(stopping);
            }
        }

        private synchronized void stopWatching() {
            if (timer != null) {
                timer.cancel();
            }
        }

        private FsException failed(@Nullable Throwable failure) {
            Throwable cause = failure == null ? new IllegalStateException("no answer") : FsException.unwrap(failure);
            if (cause instanceof FsException known) {
                return known;
            }
            ErrorCode code = cause instanceof HttpTimeoutException ? ErrorCode.TIMED_OUT : ErrorCode.UNAVAILABLE;
            return new FsException(code, tried + ": " + cause + " (" + signed + ")", cause);
        }
    }

    /** Counts the bytes read from a stream. */
    private static final class Counted extends FilterInputStream {
        private final AtomicLong count;

        Counted(InputStream in, AtomicLong count) {
            super(in);
            this.count = count;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            count.addAndGet(next < 0 ? 0 : 1);
            return next;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int taken = super.read(into, offset, length);
            count.addAndGet(Math.max(0, taken));
            return taken;
        }
    }
}
