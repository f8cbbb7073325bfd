package io.lambdafs.cluster.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.dashboard.DashboardApi;
import io.lambdafs.rpc.Leeway;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpRequest;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFiles;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A client of the gateway's management API: one blocking request at a time, each with a time limit that follows the
 * machine ({@link Leeway}). Thread-safe.
 */
public final class GatewayClient {
    private static final int MAX_BODY_BYTES = 8 << 20;

    private final URI gateway;
    private final @Nullable ApiKey key;
    private final Duration limit;
    private final Optional<Tls> tls;

    /**
     * @param gateway {@code http://host:port}
     * @param limit of an answer, on a calm machine
     * @param tls trusted CAs for HTTPS
     */
    public GatewayClient(URI gateway, @Nullable ApiKey key, Duration limit, Optional<Tls> tls) {
        this.tls = tls;
        this.gateway = gateway;
        this.key = key;
        this.limit = limit;
    }

    /** Creates a client without a key; {@code tlsCa} is the trusted CA for HTTPS. */
    public static GatewayClient of(URI gateway, @Nullable Path tlsCa, Duration limit) {
        return new GatewayClient(
                gateway,
                null,
                limit,
                Optional.ofNullable(tlsCa).map(TlsFiles::ofUser).map(Tls::of));
    }

    /** Creates a client with the key in a file. */
    public static GatewayClient of(URI gateway, Path keyFile, Duration limit, Optional<Tls> tls) {
        try {
            return new GatewayClient(gateway, ApiKey.fromFile(keyFile), limit, tls);
        } catch (IOException e) {
            throw FsException.unavailable("cannot read the gateway's management key: " + e.getMessage(), e);
        }
    }

    /** Returns an HTTP client for the gateway and its instances. */
    HttpClient http() {
        return new HttpClient(Runnable::run, tls);
    }

    public URI gateway() {
        return gateway;
    }

    /** Returns the dashboard's address, with the token for full access if this client has the key. */
    public URI dashboard() {
        return key == null
                ? gateway.resolve("/dashboard")
                : DashboardApi.address(gateway, key, System.currentTimeMillis());
    }

    /** Returns whether the gateway answers. */
    public boolean isHealthy() {
        return silence().isEmpty();
    }

    /** Returns the reason why the gateway does not answer properly; empty if it does. */
    public Optional<String> silence() {
        try {
            String status = call("GET", "/healthz", null).path("status").asText();
            return status.equals("ok")
                    ? Optional.empty()
                    : Optional.of("the gateway " + gateway + " does not answer that it is well");
        } catch (FsException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the problem reported by the health page at the client's address; empty if healthy. */
    public Optional<String> unhealthy() {
        HttpRequest request = new HttpRequest(
                "GET",
                gateway,
                Map.of(),
                new byte[0],
                MAX_BODY_BYTES,
                Leeway.of(limit).toNanos());
        try (HttpClient http = http()) {
            HttpReply reply = http.send(request).toCompletableFuture().get();
            return reply.status() == 200
                    ? Optional.empty()
                    : Optional.of(new String(reply.body(), StandardCharsets.UTF_8));
        } catch (ExecutionException e) {
            return Optional.of("it does not answer: " + FsException.of(e).getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "interrupted while asking " + gateway, e);
        }
    }

    /** Returns the instances known to the gateway. */
    public JsonNode instances() {
        return call("GET", "/lambdafs/v1/instances", null).path("instances");
    }

    /** Returns usage and cost since the gateway's start. */
    public JsonNode usage() {
        return call("GET", "/lambdafs/v1/usage", null);
    }

    /** Returns its metrics, with the sums over its instances. */
    public MetricsPage metrics() {
        return MetricsPage.parse(new String(bytes("GET", "/metrics", null), StandardCharsets.UTF_8));
    }

    /** Returns the maximum instances per deployment. */
    public int maxInstances() {
        return call("GET", "/lambdafs/v1/scaling", null).path("maxInstances").asInt();
    }

    /** Sets the maximum instances per deployment. */
    public void scale(int maxInstances) {
        call("PUT", "/lambdafs/v1/scaling", "{\"maxInstances\":" + maxInstances + "}");
    }

    private JsonNode call(String method, String path, @Nullable String body) {
        byte[] reply = bytes(method, path, body);
        try {
            return Json.MAPPER.readTree(reply);
        } catch (IOException e) {
            throw silent(String.valueOf(e.getMessage()), e);
        }
    }

    private byte[] bytes(String method, String path, @Nullable String body) {
        Map<String, String> headers = new HashMap<>();
        headers.put("Content-Type", "application/json");
        if (key != null) {
            headers.put("Authorization", key.authorization());
        }
        byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        Duration patience = Leeway.of(limit);
        HttpRequest request = new HttpRequest(
                        method, gateway.resolve(path), headers, bytes, MAX_BODY_BYTES, patience.toNanos())
                .demanding(key == null ? null : key.secret());
        try (HttpClient http = http()) {
            HttpReply reply = http.send(request).toCompletableFuture().get();
            if (reply.status() != 200) {
                throw refused(method + " " + path, reply.status());
            }
            return reply.body();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof SocketTimeoutException late) {
                throw FsException.unavailable(
                        "the gateway " + gateway + " did not answer within " + seconds(patience) + " s", late);
            }
            throw cause instanceof FsException typed
                    ? typed
                    : silent(cause == null ? "no reason is known" : String.valueOf(cause.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "interrupted while asking the gateway " + gateway, e);
        }
    }

    private static String seconds(Duration limit) {
        return String.format(Locale.ROOT, "%.1f", limit.toMillis() / 1_000.0).replaceFirst("\\.0$", "");
    }

    private FsException silent(String why, Exception cause) {
        return FsException.unavailable("the gateway " + gateway + " does not answer: " + why, cause);
    }

    private FsException refused(String what, int status) {
        return status == 401
                ? new FsException(
                        ErrorCode.UNAUTHENTICATED,
                        "the gateway " + gateway + " does not know the management key of this cluster's directory")
                : FsException.unavailable("the gateway " + gateway + " answered " + what + " with HTTP " + status);
    }
}
