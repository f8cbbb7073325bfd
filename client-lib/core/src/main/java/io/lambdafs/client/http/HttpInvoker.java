package io.lambdafs.client.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Codec;
import io.lambdafs.rpc.Failed;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.OperationReply;
import io.lambdafs.rpc.OperationRequest;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.WireReader;
import io.lambdafs.rpc.WireWriter;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls functions by Apache OpenWhisk's REST API: {@code POST
 * /api/v1/namespaces/{ns}/actions/{prefix}{deployment}?blocking=true&result=true} with basic authentication. The body is {@code
 * {"v":1,"request":"<base64>","token":"…","tcp":[{"host","port","transport","registration"}]}}, the reply {@code {"v":1,"reply":"<base64>"}};
 * the base64 texts are codec bytes of {@link OperationRequest} and {@link OperationReply}. A body without a request only wakes an
 * instance. Thread-safe.
 */
public final class HttpInvoker implements Invoker {
    public static final int VERSION = 1;
    /** Of an HTTP body: the longest frame in base64, and its envelope. */
    static final int MAX_BODY = Transport.MAX_FRAME / 3 * 4 + (64 << 10);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Supplier<HttpClient> http;
    private final Codec codec;
    private final URI gateway;
    private final String functionPrefix;
    private final URI[] addresses;
    private final Map<String, String> headers;
    private final @Nullable Secret demanded;
    private volatile boolean reached;

    /** @param http asked when the first call is made: a process that borrows connections may never make one */
    public HttpInvoker(ClientConfig config, Supplier<HttpClient> http, Codec codec) {
        this.http = http;
        this.codec = codec;
        this.gateway = config.gateway();
        this.functionPrefix = config.actionPrefix();
        this.addresses = addresses(config);
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

    private static URI[] addresses(ClientConfig config) {
        String base = config.gateway().toString();
        while (base.endsWith("/")) {
            base = base.substring(0, base.length() - 1);
        }
        URI[] addresses = new URI[config.deployments()];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = URI.create(base + "/api/v1/namespaces/" + config.namespace() + "/actions/"
                    + config.actionPrefix() + i + "?blocking=true&result=true");
        }
        return addresses;
    }

    @Override
    public boolean hasReached() {
        return reached;
    }

    @Override
    public CompletionStage<Optional<OperationReply>> invoke(Invocation invocation) {
        HttpRequest request = new HttpRequest(
                        "POST",
                        addresses[invocation.deployment()],
                        headers,
                        body(invocation),
                        MAX_BODY,
                        Math.max(invocation.timeoutNanos(), 1_000_000))
                .demanding(demanded);
        String function = functionPrefix + invocation.deployment();
        return http.get().send(request).handle((reply, thrown) -> {
            if (thrown != null) {
                FsException why = HttpErrors.ofFailure(thrown, function, gateway);
                if (why.code().disposition() == Disposition.OUTCOME_UNKNOWN) {
                    reached = true;
                }
                throw why;
            }
            reached = true;
            return reply(reply, invocation, function);
        });
    }

    private byte[] body(Invocation invocation) {
        ObjectNode body = JSON.createObjectNode();
        body.put("v", VERSION);
        OperationRequest request = invocation.request();
        if (request != null) {
            WireWriter out = new WireWriter();
            codec.write(out, request);
            body.put("request", Base64.getEncoder().encodeToString(out.toByteArray()));
        }
        body.put("token", invocation.token());
        ArrayNode tcp = body.putArray("tcp");
        for (TcpOffer offer : invocation.tcp()) {
            tcp.addObject()
                    .put("host", offer.host())
                    .put("port", offer.port())
                    .put("transport", offer.transport().label())
                    .put("registration", offer.registration());
        }
        try {
            return JSON.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of strings and numbers cannot be written", e);
        }
    }

    private Optional<OperationReply> reply(HttpReply response, Invocation invocation, String function) {
        if (response.status() != 200) {
            throw HttpErrors.ofStatus(response.status(), response.body(), function, gateway);
        }
        JsonNode root;
        try {
            root = JSON.readTree(response.body());
        } catch (IOException e) {
            throw HttpErrors.notOurs("not JSON", function, gateway);
        }
        if (root == null || root.path("v").asInt(-1) != VERSION) {
            throw HttpErrors.notOurs("no version " + VERSION, function, gateway);
        }
        if (invocation.request() == null && !root.has("reply")) {
            return Optional.empty();
        }
        return Optional.of(decode(root.path("reply").asText(""), function));
    }

    private OperationReply decode(String reply, String function) {
        Message message;
        try {
            message = codec.read(new WireReader(Base64.getDecoder().decode(reply)));
        } catch (FsException | IllegalArgumentException e) {
            throw HttpErrors.notOurs(String.valueOf(e.getMessage()), function, gateway);
        }
        if (message instanceof OperationReply operationReply) {
            return operationReply;
        }
        if (message instanceof Failed failed) {
            throw failed.toException();
        }
        throw HttpErrors.notOurs(message.getClass().getSimpleName(), function, gateway);
    }
}
