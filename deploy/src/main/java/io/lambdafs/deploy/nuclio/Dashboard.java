package io.lambdafs.deploy.nuclio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FileFaults;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.Json;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpRequest;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The client of Nuclio's dashboard API, one request at a time. Confined to one thread. */
final class Dashboard implements AutoCloseable {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(70);
    private static final int MAX_REPLY_BYTES = 32 << 20;

    private final URI host;
    private final String namespace;
    private final Map<String, String> headers;
    private final HttpClient http = new HttpClient(Runnable::run);

    private Dashboard(URI host, String namespace, Map<String, String> headers) {
        this.host = host;
        this.namespace = namespace;
        this.headers = headers;
    }

    static Dashboard open(Target target) {
        Map<String, String> headers = new HashMap<>(Map.of("Content-Type", "application/json"));
        String namespace = target.namespace().isEmpty() ? "nuclio" : target.namespace();
        headers.put("x-nuclio-function-namespace", namespace);
        headers.put("x-nuclio-project-namespace", namespace);
        try {
            if (target.authFile() != null) {
                headers.put("Authorization", ApiKey.fromFile(target.authFile()).authorization());
            }
        } catch (IOException e) {
            throw FileFaults.of(
                    Problem.Code.CREDENTIALS, "cannot read the platform's key", e, "name its file with --auth-file");
        }
        URI host = target.apiHost() == null ? URI.create("http://localhost:8070") : target.apiHost();
        return new Dashboard(host, namespace, headers);
    }

    String namespace() {
        return namespace;
    }

    /** Returns all functions of the namespace, by name. */
    JsonNode functions() {
        return demand("GET", "/api/functions", null, 200);
    }

    Optional<JsonNode> function(String name) {
        HttpReply reply = send("GET", "/api/functions/" + name, null);
        return reply.status() == 404 ? Optional.empty() : Optional.of(demanded("GET", reply, 200, name));
    }

    boolean hasProject(String name) {
        return send("GET", "/api/projects/" + name, null).status() != 404;
    }

    void create(ObjectNode function) {
        demand("POST", "/api/functions", function, 202);
    }

    void update(ObjectNode function) {
        demand("PUT", "/api/functions/" + function.path("metadata").path("name").asText(), function, 202);
    }

    void delete(String name) {
        ObjectNode body = Json.object();
        body.putObject("metadata").put("name", name).put("namespace", namespace);
        demand("DELETE", "/api/functions", body, 204);
    }

    private JsonNode demand(String method, String path, @Nullable ObjectNode body, int status) {
        return demanded(method, send(method, path, body), status, path);
    }

    private JsonNode demanded(String method, HttpReply reply, int status, String path) {
        if (reply.status() != status) {
            throw refused(
                    reply.status(),
                    "Nuclio answered " + method + " " + path + " with status " + reply.status() + ": " + said(reply));
        }
        try {
            return Json.parseObject(reply.body());
        } catch (IllegalArgumentException e) {
            throw new DeployFailure(
                    Problem.Code.PLATFORM_FAILED,
                    "what " + host + " answered is no JSON: check that --apihost is Nuclio's dashboard",
                    e);
        }
    }

    private static DeployFailure refused(int status, String what) {
        Problem problem = switch (status) {
            case 401 -> Problem.fault(Problem.Code.CREDENTIALS, what, "check --auth-file");
            case 403 ->
                Problem.fault(Problem.Code.FORBIDDEN, what, "have the right given, or name another --namespace");
            case 409 -> Problem.fault(Problem.Code.NAME_TAKEN, what, "name the cluster otherwise with --cluster");
            case 400 -> Problem.fault(Problem.Code.CONFIGURATION, what, "check --namespace and --option project=NAME");
            default -> Problem.fault(Problem.Code.PLATFORM_FAILED, what, "see the dashboard's log");
        };
        return new DeployFailure(problem, null);
    }

    private static String said(HttpReply reply) {
        try {
            return Json.parseObject(reply.body()).path("error").asText();
        } catch (IllegalArgumentException notJson) {
            return "no reason";
        }
    }

    private HttpReply send(String method, String path, @Nullable ObjectNode body) {
        byte[] bytes = body == null ? new byte[0] : Json.bytes(body);
        try {
            return http.send(new HttpRequest(method, host.resolve(path), headers, bytes, MAX_REPLY_BYTES, LIMIT_NANOS))
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw new DeployFailure(
                    Problem.fault(
                            Problem.Code.UNREACHABLE,
                            "Nuclio's dashboard at " + host + " does not answer: "
                                    + FsException.unwrap(e).getMessage(),
                            "check --apihost, and that the dashboard runs"),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeployFailure(Problem.Code.PLATFORM_FAILED, "interrupted while asking " + host, e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
