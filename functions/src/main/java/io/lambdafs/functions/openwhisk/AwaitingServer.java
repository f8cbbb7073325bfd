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
 * The HTTP handler of an instance that may still await its configuration. On platforms that give containers none, such
 * as OpenWhisk, it arrives with {@code /init}: until then this handler answers as a prewarmed instance, afterwards it
 * delegates to the instance's server. Thread-safe; nothing blocks.
 */
public final class AwaitingServer implements HttpHandler {
    /** An instance's server and its resources. */
    public record Opened(ActionServer server, AutoCloseable owned) {}

    private final Function<Map<String, String>, Opened> opener;
    private final Executor executor;
    // Written under this object's lock.
    private volatile @Nullable Opened opened;
    private boolean isClosed;

    /**
     * @param opener creates the server from the environment in {@code /init}; may block briefly
     * @param executor on which it may block
     */
    public AwaitingServer(Function<Map<String, String>, Opened> opener, Executor executor) {
        this.opener = opener;
        this.executor = executor;
    }

    /** Creates a handler for a server that is already open. */
    public AwaitingServer(Opened already) {
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

    /** Stops taking calls and leaves in order; completes when done. Idempotent. */
    public CompletionStage<Void> leave() {
        Opened now;
        synchronized (this) {
            isClosed = true;
            now = opened;
        }
        return now == null
                ? CompletableFuture.completedFuture(null)
                : now.server().leave();
    }

    /** Closes the instance's resources. */
    public void end() throws Exception {
        Opened now = opened;
        if (now != null) {
            now.owned().close();
        }
    }

    private static CompletionStage<HttpReply> done(HttpReply reply) {
        return CompletableFuture.completedFuture(reply);
    }
}
