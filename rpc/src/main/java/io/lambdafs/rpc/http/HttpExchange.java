package io.lambdafs.rpc.http;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request in progress. Ends once, with a reply or a failure, whichever comes first. Thread-safe. */
final class HttpExchange {
    private static final Logger LOG = LoggerFactory.getLogger(HttpExchange.class);

    private final HttpRequest request;
    private final Executor executor;
    private final CompletableFuture<HttpReply> reply = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Future<?> limit;

    /** @param executor on which the caller is notified */
    HttpExchange(HttpRequest request, Executor executor) {
        this.request = request;
        this.executor = executor;
    }

    HttpRequest request() {
        return request;
    }

    CompletionStage<HttpReply> reply() {
        return reply;
    }

    /** Starts its timeout. */
    void begin(EventLoopGroup loop) {
        limit = loop.schedule(
                () -> fail(new SocketTimeoutException(
                        "no reply within " + TimeUnit.NANOSECONDS.toMillis(request.timeoutNanos()) + " ms")),
                request.timeoutNanos(),
                TimeUnit.NANOSECONDS);
    }

    boolean hasEnded() {
        return ended.get();
    }

    /** Ends the exchange unless it has ended. */
    void end(HttpReply answer) {
        end(() -> reply.complete(answer));
    }

    /** Ends the exchange unless it has ended. */
    void fail(Exception failure) {
        end(() -> reply.completeExceptionally(failure));
    }

    private void end(Runnable tell) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        Future<?> timer = limit;
        if (timer != null) {
            timer.cancel(false);
        }
        try {
            executor.execute(tell);
        } catch (RuntimeException full) {
            LOG.debug("The executor takes nothing: telling on this thread", full);
            tell.run();
        }
    }
}
