package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.ApiKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The gateway's management API, asked one question at a time; each takes its limit at most. Thread-safe. */
public final class GatewayClient {
    private static final int MAX_BODY_BYTES = 8 << 20;

    private final URI gateway;
    private final @Nullable ApiKey key;
    private final int limitMillis;

    /** @param gateway {@code http://host:port} */
    public GatewayClient(URI gateway, @Nullable ApiKey key, Duration limit) {
        this.gateway = gateway;
        this.key = key;
        this.limitMillis = (int) limit.toMillis();
    }

    /** A client with the key in a file. */
    static GatewayClient of(URI gateway, Path keyFile, Duration limit) {
        try {
            return new GatewayClient(gateway, ApiKey.fromFile(keyFile), limit);
        } catch (IOException e) {
            throw new FsException(ErrorCode.UNAVAILABLE, "cannot read the gateway's API key: " + e.getMessage(), e);
        }
    }

    public URI gateway() {
        return gateway;
    }

    /** Whether it answers. */
    public boolean isHealthy() {
        try {
            return call("GET", "/healthz", null).path("status").asText().equals("ok");
        } catch (FsException e) {
            return false;
        }
    }

    /** Instances, as the gateway knows them. */
    public JsonNode instances() {
        return call("GET", "/lambdafs/v1/instances", null).path("instances");
    }

    /** Usage and cost since the gateway's start. */
    public JsonNode usage() {
        return call("GET", "/lambdafs/v1/usage", null);
    }

    /** The most instances of a deployment. */
    public int maxInstances() {
        return call("GET", "/lambdafs/v1/scaling", null).path("maxInstances").asInt();
    }

    /** Changes the most instances of a deployment. */
    public void scale(int maxInstances) {
        call("PUT", "/lambdafs/v1/scaling", "{\"maxInstances\":" + maxInstances + "}");
    }

    private JsonNode call(String method, String path, @Nullable String body) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) gateway.resolve(path).toURL().openConnection();
            connection.setConnectTimeout(limitMillis);
            connection.setReadTimeout(limitMillis);
            connection.setRequestMethod(method);
            if (key != null) {
                connection.setRequestProperty("Authorization", key.authorization());
            }
            if (body != null) {
                connection.setDoOutput(true);
                connection.setRequestProperty("Content-Type", "application/json");
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(body.getBytes(StandardCharsets.UTF_8));
                }
            }
            int status = connection.getResponseCode();
            try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                byte[] answer = in == null ? new byte[0] : in.readNBytes(MAX_BODY_BYTES);
                if (status != 200) {
                    throw refused(method + " " + path, status);
                }
                return Json.MAPPER.readTree(answer);
            }
        } catch (IOException e) {
            throw new FsException(
                    ErrorCode.UNAVAILABLE, "the gateway " + gateway + " does not answer: " + e.getMessage(), e);
        }
    }

    private FsException refused(String what, int status) {
        return status == 401
                ? new FsException(
                        ErrorCode.UNAUTHENTICATED,
                        "the gateway " + gateway + " does not know the API key of this cluster's directory")
                : new FsException(
                        ErrorCode.UNAVAILABLE, "the gateway " + gateway + " answered " + what + " with HTTP " + status);
    }
}
