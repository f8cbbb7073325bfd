package io.lambdafs.client.http;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpRequest;
import io.lambdafs.rpc.http.LostBeforeRequestException;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.tracing.TraceParent;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls functions by Apache OpenWhisk's REST API, {@code POST
 * /api/v1/namespaces/{ns}/actions/{prefix}{deployment}?blocking=true&result=true} with basic authentication, fetching
 * the activation record if the platform stops waiting; or by a plain POST to each function's address. Bodies are those
 * of {@link FunctionBody}. Thread-safe.
 */
public final class HttpInvoker implements Invoker {
    private static final byte[] NOTHING = {};

    private final Supplier<HttpClient> http;
    private final Scheduler scheduler;
    private final FunctionBody bodies;
    private final URI gateway;
    private final String functionPrefix;
    /** Address by deployment number. */
    private final IntFunction<URI> addressOf;

    private final Map<Integer, URI> addresses = new ConcurrentHashMap<>();
    private final Map<String, String> headers;
    private final @Nullable Secret demanded;
    /** Address of activation records; null for an API without them. */
    private final @Nullable String activations;

    private volatile boolean reached;

    /** @param http called on the first call: a process that borrows connections may never make one */
    public HttpInvoker(ClientConfig config, Supplier<HttpClient> http, Codec codec, Scheduler scheduler) {
        this.http = http;
        this.scheduler = scheduler;
        this.gateway = config.gateway();
        this.bodies = new FunctionBody(codec, gateway);
        this.functionPrefix = config.actionPrefix();
        boolean isOpenWhisk = config.api().name().equals(ClientConfig.ApiUse.OPENWHISK);
        this.addressOf = isOpenWhisk
                ? number -> URI.create(
                        namespace(config) + "/actions/" + config.actionPrefix() + number + "?blocking=true&result=true")
                : number -> config.api().addressOf(config.actionPrefix() + number);
        this.activations = isOpenWhisk ? namespace(config) + "/activations/" : null;
        String key = config.apiKey();
        this.demanded = key == null || !config.gatewayProof() ? null : Secret.of(key);
        this.headers = key == null
                ? Map.of("Content-Type", "application/json")
                : Map.of(
                        "Content-Type",
                        "application/json",
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)));
    }

    private static String namespace(ClientConfig config) {
        String base = config.gateway().toString();
        while (base.endsWith("/")) {
            base = base.substring(0, base.length() - 1);
        }
        return base + "/api/v1/namespaces/" + config.namespace();
    }

    private URI address(int deployment) {
        return addresses.computeIfAbsent(deployment, addressOf::apply);
    }

    @Override
    public boolean hasReached() {
        return reached;
    }

    @Override
    public CompletionStage<Optional<OperationReply>> invoke(Invocation invocation) {
        long patience = Math.max(invocation.timeoutNanos(), 1_000_000);
        long deadline = scheduler.nanoTime() + patience;
        HttpRequest request = request(
                "POST", address(invocation.deployment()), bodies.write(invocation), patience, headers(invocation));
        String function = functionPrefix + invocation.deployment();
        return http.get()
                .send(request)
                .handle((reply, thrown) -> {
                    if (thrown != null) {
                        FsException why = HttpErrors.ofFailure(thrown, function, gateway);
                        if (why.code().disposition() == Disposition.OUTCOME_UNKNOWN
                                || why.getCause() instanceof LostBeforeRequestException) {
                            reached = true;
                        }
                        throw why;
                    }
                    reached = true;
                    return reply(reply, invocation, function, deadline);
                })
                .thenCompose(answer -> answer);
    }

    private Map<String, String> headers(Invocation invocation) {
        OperationRequest request = invocation.request();
        TraceParent trace = request == null ? null : request.trace();
        if (trace == null) {
            return headers;
        }
        Map<String, String> traced = new HashMap<>(headers);
        traced.put(TraceParent.HEADER, trace.text());
        return traced;
    }

    private HttpRequest request(String method, URI address, byte[] body, long nanos, Map<String, String> headers) {
        return new HttpRequest(method, address, headers, body, FunctionBody.MAX_BYTES, nanos).demanding(demanded);
    }

    private CompletionStage<Optional<OperationReply>> reply(
            HttpReply response, Invocation invocation, String function, long deadlineNanos) {
        String late = response.status() == 202 && activations != null ? LateActivation.id(response.body()) : null;
        if (late != null) {
            return new LateActivation(http.get(), scheduler, bodies, invocation, function, deadlineNanos)
                    .await(nanos -> request("GET", URI.create(activations + late), NOTHING, nanos, headers));
        }
        if (response.status() != 200) {
            throw HttpErrors.ofStatus(response.status(), response.body(), function, gateway);
        }
        return CompletableFuture.completedFuture(bodies.read(response.body(), invocation, function));
    }
}
