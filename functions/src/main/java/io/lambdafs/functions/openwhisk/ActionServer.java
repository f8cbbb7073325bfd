package io.lambdafs.functions.openwhisk;

import io.lambdafs.functions.serving.ClientConnections;
import io.lambdafs.functions.serving.FunctionInstance;
import io.lambdafs.functions.serving.Steadiness;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.auth.Identity;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of an instance: OpenWhisk's action protocol, a plain {@code POST /} equivalent to {@code /run}
 * without the envelope, and {@code GET /metrics}, {@code /healthz} and {@code /slowest}. The states of an instance:
 *
 * <pre>
 *   PREWARMED --/init--> STARTING --started--> READY --leave--> LEFT
 *                           | failed
 *                           +--> PREWARMED
 * </pre>
 *
 * Errors of an operation, including a bad token, are inside the reply of {@code /run}; a status other than 200 means
 * that the function itself could not be called, and the platform turns it into a 502. Thread-safe; nothing blocks.
 */
public final class ActionServer implements HttpHandler {
    private static final Logger log = LoggerFactory.getLogger(ActionServer.class);
    /** OpenWhisk's words. */
    static final String UNINITIALISED = "Cannot invoke an uninitialized action.";

    private static final String SLOWEST = "GET /slowest";

    private sealed interface State {
        /** The deployment is not known yet. */
        record Prewarmed() implements State {}

        record Starting() implements State {}

        record Ready(FunctionInstance function) implements State {}

        record Left() implements State {}
    }

    /**
     * The server's dependencies; {@code steadiness} is what a rehearsal has reached, {@code codec} knows the messages
     * of {@link io.lambdafs.rpc.message.RpcMessages}.
     */
    public record Context(
            FunctionInstance.Starter starter,
            Tokens tokens,
            Codec codec,
            Scheduler scheduler,
            ActivationLog activations,
            StartTimes times,
            Steadiness steadiness) {}

    private final Context context;
    private final String instance;
    private final @Nullable Secret key;
    private final OptionalInt deployment;
    private final AtomicReference<State> state = new AtomicReference<>(new State.Prewarmed());
    private final AtomicReference<@Nullable CompletionStage<HttpReply>> beginning = new AtomicReference<>();

    /**
     * Creates the server of a prewarmed instance.
     *
     * @param instance its id, unless {@code /init} gives one
     * @param key required of calls; null if not required
     * @param deployment to start as without an {@code /init}; empty if {@code /init} gives it
     */
    public ActionServer(Context context, String instance, @Nullable Secret key, OptionalInt deployment) {
        this.context = context;
        this.instance = instance;
        this.key = key;
        this.deployment = deployment;
    }

    @Override
    public CompletionStage<HttpReply> handle(HttpCall call) {
        String route = call.method() + " " + call.path();
        return switch (route) {
            case "POST /init" -> init(call);
            case "POST /run" -> run(() -> RunCall.parse(call.body()));
            case "POST /" -> plain(call);
            case "GET /metrics" -> metrics();
            case SLOWEST -> slowest();
            case "GET /healthz" -> onWorker(this::health);
            default ->
                now(ActionJson.error(
                        404,
                        "there is no " + route
                                + ": use POST /init, POST /run, POST /, GET /metrics, GET /healthz, GET /slowest"));
        };
    }

    /** Without the key, only pages without users' paths are served. */
    @Override
    public Optional<HttpReply> refuse(HttpCall head) {
        Secret wanted = key;
        if (wanted == null
                || (head.method().equals("GET") && !head.path().equals("/slowest"))
                || wanted.matches(head.header("authorization").orElse(""))) {
            return Optional.empty();
        }
        return Optional.of(
                ActionJson.error(401, "only the platform that started this instance may call it: call by the gateway"));
    }

    @Override
    public List<Secret> keys() {
        return key == null ? List.of() : List.of(key);
    }

    @Override
    public HttpReply refusal(int status, String message) {
        return ActionJson.error(status, message);
    }

    private CompletionStage<HttpReply> init(HttpCall call) {
        InitCall init;
        try {
            init = InitCall.parse(call.body());
        } catch (FsException malformed) {
            return now(error(400, malformed));
        }
        return begin(init);
    }

    private CompletionStage<HttpReply> begin(InitCall init) {
        State before = state.get();
        if (!(before instanceof State.Prewarmed) || !state.compareAndSet(before, new State.Starting())) {
            return now(ActionJson.error(403, "Cannot initialize the action more than once."));
        }
        CompletableFuture<HttpReply> reply = new CompletableFuture<>();
        try {
            context.scheduler().execute(() -> reply.complete(start(init)));
        } catch (FsException full) {
            state.set(new State.Prewarmed());
            reply.complete(error(503, full));
        }
        return reply;
    }

    private HttpReply start(InitCall init) {
        String id = init.instance() == null ? instance : init.instance();
        try {
            FunctionInstance function = context.starter().start(init.deployment(), id);
            if (!swapStarting(new State.Ready(function))) {
                function.leave();
                return ActionJson.error(503, "the instance leaves");
            }
            log.info("Instance {} serves deployment {}", id, init.deployment());
            function.joined().thenRun(() -> context.times().reached(StartTimes.Step.JOINED));
            context.times().reached(StartTimes.Step.INITIALISED);
            return HttpReply.json(200, "{\"ok\":true}");
        } catch (RuntimeException failure) {
            swapStarting(new State.Prewarmed());
            FsException why = FsException.of(failure);
            log.error(
                    "Instance {} could not start for deployment {}: {}",
                    id,
                    init.deployment(),
                    why.getMessage(),
                    failure);
            return error(502, why);
        }
    }

    private boolean swapStarting(State next) {
        State now = state.get();
        return now instanceof State.Starting && state.compareAndSet(now, next);
    }

    /** Starts the instance for the deployment given at startup, again after a failure. The status is 200 once done. */
    public CompletionStage<HttpReply> begin() {
        CompletionStage<HttpReply> before = beginning.get();
        if (before != null || deployment.isEmpty()) {
            return before == null ? now(ActionJson.error(500, UNINITIALISED)) : before;
        }
        CompletableFuture<HttpReply> mine = new CompletableFuture<>();
        if (!beginning.compareAndSet(null, mine)) {
            return begin();
        }
        begin(new InitCall(deployment.getAsInt(), null)).thenAccept(reply -> {
            if (reply.status() != 200) {
                beginning.set(null);
            }
            mine.complete(reply);
        });
        return mine;
    }

    private CompletionStage<HttpReply> plain(HttpCall call) {
        if (deployment.isEmpty() || state.get() instanceof State.Ready) {
            return run(() -> RunCall.parseBare(call.body()));
        }
        return begin().thenCompose(
                        begun -> begun.status() == 200 ? run(() -> RunCall.parseBare(call.body())) : now(begun));
    }

    private CompletionStage<HttpReply> run(Supplier<RunCall> call) {
        if (!(state.get() instanceof State.Ready ready)) {
            return now(ActionJson.error(state.get() instanceof State.Left ? 503 : 500, UNINITIALISED));
        }
        RunCall run;
        try {
            run = call.get();
        } catch (FsException malformed) {
            return now(error(400, malformed));
        }
        CompletableFuture<HttpReply> reply = new CompletableFuture<>();
        CompletionStage<HttpReply> logged = reply.thenApply(context.activations()::ended);
        serve(ready.function(), run, reply);
        return logged;
    }

    private void serve(FunctionInstance function, RunCall run, CompletableFuture<HttpReply> reply) {
        Identity caller;
        OperationRequest request;
        try {
            caller = context.tokens().verify(run.token());
            request = decode(run.request());
        } catch (FsException refused) {
            reply.complete(encoded(function.gate()
                    .refusal(refused.code(), Reply.Failure.of(refused).message())));
            return;
        }
        ClientConnections.Caller from =
                new ClientConnections.Caller(caller.principal().user(), run.client());
        function.clients().reach(from, run.servers());
        if (request == null) {
            reply.complete(connecting(function, from, run.servers()));
        } else {
            // The client's span is the parent of the gateway's, if there is one.
            OperationRequest below = run.trace() == null ? request : request.below(run.trace());
            function.gate().serveHttp(caller.principal(), below, answer -> reply.complete(encoded(answer)));
        }
    }

    /** Returns the reply to a call that only requests connections. */
    private HttpReply connecting(
            FunctionInstance function, ClientConnections.Caller from, List<ClientConnections.Server> servers) {
        try {
            function.clients().demand(from, servers);
            return HttpReply.json(200, "{\"v\":1}");
        } catch (FsException refused) {
            return encoded(function.gate()
                    .refusal(refused.code(), Reply.Failure.of(refused).message()));
        }
    }

    private @Nullable OperationRequest decode(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        if (context.codec().read(new WireReader(bytes)) instanceof OperationRequest request) {
            return request;
        }
        throw new FsException(ErrorCode.BAD_FRAME, "the request is a message of another kind than an operation");
    }

    private HttpReply encoded(OperationReply answer) {
        WireWriter out = new WireWriter();
        context.codec().write(out, answer);
        return ActionJson.reply(out.toByteArray());
    }

    private CompletionStage<HttpReply> slowest() {
        return state.get() instanceof State.Ready ready
                ? onWorker(() -> ActionJson.slowest(ready.function().slowest()))
                : now(ActionJson.slowest(List.of()));
    }

    private CompletionStage<HttpReply> metrics() {
        if (!(state.get() instanceof State.Ready ready)) {
            return now(HttpReply.text(200, rehearsed()));
        }
        return onWorker(() -> HttpReply.text(200, ready.function().metrics()));
    }

    /** Returns the page of an instance that rehearses or has rehearsed; empty while nothing is known. */
    private String rehearsed() {
        return isPrewarmed() && context.steadiness().isSettled()
                ? "# TYPE lambdafs_cost_of_steady gauge\nlambdafs_cost_of_steady 1\n"
                : "";
    }

    /** Runs on a worker thread, so there is no answer if the workers are exhausted or stuck. */
    private CompletionStage<HttpReply> onWorker(Supplier<HttpReply> page) {
        CompletableFuture<HttpReply> reply = new CompletableFuture<>();
        try {
            context.scheduler().execute(() -> {
                try {
                    reply.complete(page.get());
                } catch (RuntimeException failure) {
                    reply.completeExceptionally(failure);
                }
            });
        } catch (FsException full) {
            return now(error(503, full));
        }
        return reply;
    }

    private HttpReply health() {
        State now = state.get();
        if (now instanceof State.Ready ready) {
            FunctionInstance function = ready.function();
            Optional<String> outage = function.outage();
            String known = ",\"deployment\":" + function.deployment() + ",\"epoch\":" + function.epoch()
                    + ",\"startMicros\":" + context.times().json() + "}";
            return outage.isEmpty()
                    ? HttpReply.json(200, "{\"status\":\"ready\"" + known)
                    : HttpReply.json(
                            503, "{\"status\":\"out\",\"error\":\"" + ActionJson.quoted(outage.get()) + "\"" + known);
        }
        String name =
                now instanceof State.Prewarmed ? "prewarmed" : now instanceof State.Starting ? "starting" : "left";
        return HttpReply.json(now instanceof State.Left ? 503 : 200, "{\"status\":\"" + name + "\"}");
    }

    /** Returns whether the deployment is still unknown. */
    public boolean isPrewarmed() {
        return state.get() instanceof State.Prewarmed;
    }

    /** Stops taking calls and leaves in order; completes when done. Idempotent. */
    public CompletionStage<Void> leave() {
        State before = state.getAndSet(new State.Left());
        return before instanceof State.Ready ready ? ready.function().leave() : CompletableFuture.completedFuture(null);
    }

    private static HttpReply error(int status, FsException why) {
        return ActionJson.error(status, String.valueOf(why.getMessage()));
    }

    private static CompletionStage<HttpReply> now(HttpReply reply) {
        return CompletableFuture.completedFuture(reply);
    }
}
