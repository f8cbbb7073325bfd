package io.lambdafs.platform.local;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.ActionJson;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.pool.Activation;
import io.lambdafs.platform.local.pool.InstancePool;
import io.lambdafs.platform.local.pool.Outcome;
import io.lambdafs.platform.local.pool.RefusedException;
import io.lambdafs.platform.local.pool.RegisteredAction;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.tracing.TraceParent;
import io.lambdafs.rpc.tracing.Traced;
import io.lambdafs.rpc.tracing.Tracing;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/namespaces/NS/actions}: deploys and invokes actions as OpenWhisk does. Thread-safe. */
final class OpenWhiskApi {
    /** Names the activation in every reply to an accepted invocation. */
    static final String ACTIVATION_HEADER = "X-Openwhisk-Activation-Id";

    private static final long MAX_BLOCKING_MILLIS = 60_000;

    private final ActionRegistry actions;
    private final InstancePool pool;
    private final Throttle throttle;
    private final Scheduler scheduler;
    private final Supplier<String> ids;
    private final OpenWhiskJson json;
    private final ErrorReplies errors;

    OpenWhiskApi(
            ActionRegistry actions,
            InstancePool pool,
            Throttle throttle,
            Scheduler scheduler,
            Supplier<String> ids,
            OpenWhiskJson json) {
        this.actions = actions;
        this.pool = pool;
        this.throttle = throttle;
        this.scheduler = scheduler;
        this.ids = ids;
        this.json = json;
        this.errors = new ErrorReplies(ids);
    }

    CompletionStage<HttpReply> list(HttpCall call) {
        if (!call.method().equals("GET")) {
            return done(errors.methodNotAllowed());
        }
        Paging paging;
        try {
            paging = Paging.of(call, "actions");
        } catch (IllegalArgumentException e) {
            return done(errors.malformed(String.valueOf(e.getMessage())));
        }
        ArrayNode list = Json.mapper().createArrayNode();
        actions.all().stream()
                .skip(paging.skip())
                .limit(paging.limit())
                .forEach(action -> list.add(json.actionSummary(action)));
        return done(ErrorReplies.json(200, list));
    }

    CompletionStage<HttpReply> action(HttpCall call, String name) {
        return switch (call.method()) {
            case "PUT" -> done(put(call, name));
            case "GET" ->
                done(actions.get(name)
                        .map(action -> ErrorReplies.json(200, json.action(action)))
                        .orElseGet(errors::notFound));
            case "DELETE" ->
                done(actions.remove(name)
                        .map(action -> ErrorReplies.json(200, json.action(action)))
                        .orElseGet(errors::notFound));
            case "POST" ->
                actions.get(name).map(action -> invoke(call, action)).orElseGet(() -> done(errors.notFound()));
            default -> done(errors.methodNotAllowed());
        };
    }

    private HttpReply put(HttpCall call, String name) {
        Optional<RegisteredAction> before = actions.get(name);
        if (before.isPresent() && !call.flag("overwrite")) {
            return errors.of(409, "resource already exists");
        }
        try {
            ActionSpec spec = ActionJson.read(name, Json.parseObject(call.body()), before.map(RegisteredAction::spec));
            return ErrorReplies.json(200, json.action(actions.put(spec, scheduler.currentTimeMillis())));
        } catch (IllegalArgumentException | ArithmeticException e) {
            return errors.malformed(String.valueOf(e.getMessage()));
        }
    }

    private CompletionStage<HttpReply> invoke(HttpCall call, RegisteredAction action) {
        if (call.body().length > 0 && Json.shape(call.body()) == Json.Shape.NO_OBJECT) {
            return done(errors.malformed("expected a JSON object"));
        }
        Optional<Long> patience = patience(call);
        if (patience.isEmpty()) {
            return done(errors.of(400, "Timeout must be number of milliseconds up to " + MAX_BLOCKING_MILLIS + "."));
        }
        String id = ids.get();
        CompletionStage<Activation> activation;
        Traced span = span(call, action);
        try {
            throttle.begin();
        } catch (RefusedException e) {
            return done(errors.of(e.status(), String.valueOf(e.getMessage())));
        }
        try {
            byte[] body = span == null ? call.body() : below(span.context(), call.body());
            activation = pool.invoke(action, id, body, call.remote().getAddress());
        } catch (RefusedException e) {
            throttle.ended();
            if (span != null) {
                span.end(e.getMessage());
            }
            return done(errors.of(e.status(), String.valueOf(e.getMessage())));
        }
        activation.whenComplete((ended, failure) -> {
            throttle.ended();
            if (span != null) {
                span.end(failure == null && ended.outcome() == Outcome.SUCCESS ? null : "the call failed");
            }
        });
        HttpReply accepted = named(ErrorReplies.json(202, Json.object().put("activationId", id)), id);
        if (!call.flag("blocking")) {
            return done(accepted);
        }
        CompletableFuture<HttpReply> reply = new CompletableFuture<>();
        Scheduler.Timer timer =
                scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(patience.get()), () -> reply.complete(accepted));
        boolean resultOnly = call.flag("result");
        activation.thenAccept(ended -> {
            timer.cancel();
            reply.complete(reply(ended, resultOnly));
        });
        return reply;
    }

    private static @Nullable Traced span(HttpCall call, RegisteredAction action) {
        Tracing tracing = Tracing.process();
        return tracing == Tracing.OFF
                ? null
                : call.header(TraceParent.HEADER)
                        .flatMap(TraceParent::of)
                        .map(parent -> tracing.below(
                                parent, Tracing.Part.GATEWAY, action.spec().name()))
                        .orElse(null);
    }

    /** Returns a call's body, an object, with the gateway's span as the parent of later ones. */
    static byte[] below(TraceParent span, byte[] body) {
        String object = new String(body, StandardCharsets.UTF_8);
        int begin = object.indexOf('{');
        if (begin < 0) {
            return body;
        }
        String rest = object.substring(begin + 1);
        String field = "{\"" + TraceParent.HEADER + "\":\"" + span.text() + "\"";
        return (field + (rest.stripLeading().startsWith("}") ? "" : ",") + rest).getBytes(StandardCharsets.UTF_8);
    }

    private HttpReply reply(Activation ended, boolean resultOnly) {
        int status = ended.outcome().httpStatus();
        HttpReply reply =
                resultOnly ? HttpReply.json(status, ended.result()) : ErrorReplies.json(status, json.activation(ended));
        return named(reply, ended.id());
    }

    private static HttpReply named(HttpReply reply, String id) {
        return reply.withHeader(ACTIVATION_HEADER, id);
    }

    /** Returns how long a blocking caller waits, in milliseconds; empty if the request is invalid. */
    private static Optional<Long> patience(HttpCall call) {
        String given = call.query().get("timeout");
        if (given == null) {
            return Optional.of(MAX_BLOCKING_MILLIS);
        }
        try {
            long millis = Long.parseLong(given);
            return millis >= 1 && millis <= MAX_BLOCKING_MILLIS ? Optional.of(millis) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static CompletionStage<HttpReply> done(HttpReply reply) {
        return CompletableFuture.completedFuture(reply);
    }
}
