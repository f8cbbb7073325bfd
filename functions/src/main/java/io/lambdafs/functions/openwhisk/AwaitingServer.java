package io.lambdafs.functions.openwhisk;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpReply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an instance listens with. Where its platform gives containers no configuration, as OpenWhisk's, {@code /init} brings it: until then
 * this answers as an instance that knows of no deployment, and after that the server of the instance does. Thread-safe; nothing blocks.
 */
final class AwaitingServer implements HttpHandler {
    /** An instance's server, and what it stands on. */
    record Opened(ActionServer server, AutoCloseable owned) {}

    private final Function<Map<String, String>, Opened> opener;
    private final Executor executor;
    // Written under the lock on this.
    private volatile @Nullable Opened opened;
    private boolean isClosed;

    /**
     * @param opener makes the server from the environment that {@code /init} brings; may block for a moment
     * @param executor where it may
     */
    AwaitingServer(Function<Map<String, String>, Opened> opener, Executor executor) {
        this.opener = opener;
        this.executor = executor;
    }

    /** One that has nothing to wait for. */
    AwaitingServer(Opened already) {
        this(environment -> already, Runnable::run);
        opened = already;
    }

    @Override
    public CompletionStage<HttpReply> handle(HttpCall call) {
        Opened now = opened;
        if (now != null) {
            return now.server().handle(call);
        }
        return switch (call.method() + " " + call.path()) {
            case "POST /init" ->
                CompletableFuture.supplyAsync(() -> open(call), executor).thenCompose(Function.identity());
            case "GET /healthz" -> done(HttpReply.json(200, "{\"status\":\"prewarmed\"}"));
            case "GET /metrics" -> done(HttpReply.text(200, ""));
            default -> done(ActionJson.error(500, ActionServer.UNINITIALISED));
        };
    }

    private CompletionStage<HttpReply> open(HttpCall call) {
        try {
            return opened(InitCall.environment(call.body())).server().handle(call);
        } catch (FsException refused) {
            int status = refused.code() == ErrorCode.INVALID_ARGUMENT ? 400 : 502;
            return done(ActionJson.error(status, String.valueOf(refused.getMessage())));
        }
    }

    private synchronized Opened opened(Map<String, String> environment) {
        Opened now = opened;
        if (isClosed) {
            throw new FsException(ErrorCode.NOT_READY, "the instance leaves");
        }
        if (now == null) {
            now = opener.apply(environment);
            opened = now;
        }
        return now;
    }

    @Override
    public Optional<HttpReply> refuse(HttpCall head) {
        Opened now = opened;
        return now == null ? Optional.empty() : now.server().refuse(head);
    }

    @Override
    public List<Secret> keys() {
        Opened now = opened;
        return now == null ? List.of() : now.server().keys();
    }

    @Override
    public HttpReply refusal(int status, String message) {
        return ActionJson.error(status, message);
    }

    /** Takes no more calls and leaves in order; completes when that is done. Idempotent. */
    CompletionStage<Void> leave() {
        Opened now;
        synchronized (this) {
            isClosed = true;
            now = opened;
        }
        return now == null
                ? CompletableFuture.completedFuture(null)
                : now.server().leave();
    }

    /** Ends what the instance stands on. */
    void end() throws Exception {
        Opened now = opened;
        if (now != null) {
            now.owned().close();
        }
    }

    private static CompletionStage<HttpReply> done(HttpReply reply) {
        return CompletableFuture.completedFuture(reply);
    }
}
