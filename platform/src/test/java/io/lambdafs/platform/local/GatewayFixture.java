package io.lambdafs.platform.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.instance.HeldFunction;
import io.lambdafs.platform.local.instance.InJvmLauncher;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.rpc.SystemScheduler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A gateway with functions that a test answers by hand, and a client that has its key. */
public final class GatewayFixture implements AutoCloseable {
    public static final ApiKey KEY = ApiKey.of("user:secret");

    public final List<HeldFunction> functions = new CopyOnWriteArrayList<>();
    public final SystemScheduler scheduler = new SystemScheduler("test", 4, 10_000);
    public final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(scheduler)
            .build();
    public final Gateway gateway;

    private final InstanceLauncher launcher;

    public GatewayFixture(UnaryOperator<GatewayConfig> change) throws Exception {
        launcher = new InJvmLauncher(Map.of("test", this::function), scheduler);
        GatewayConfig config = GatewayConfig.of(KEY, Path.of("unused"), Map.of());
        gateway = Gateway.start(
                change.apply(GatewayConfigs.pool(config, config.pool().withPrewarm(0))),
                Optional.empty(),
                launcher,
                scheduler);
    }

    private HeldFunction function() {
        HeldFunction function = new HeldFunction();
        function.init.complete("{}".getBytes(StandardCharsets.UTF_8));
        functions.add(function);
        return function;
    }

    /** Invocations that functions hold. */
    public int held() {
        return functions.stream().mapToInt(each -> each.open().size()).sum();
    }

    public void releaseAll() {
        functions.forEach(function -> function.open().forEach(HeldFunction.Held::release));
    }

    public void answerAll(String json) {
        functions.forEach(function ->
                function.open().forEach(held -> held.reply().complete(json.getBytes(StandardCharsets.UTF_8))));
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(gateway.url() + path)).timeout(PatientWaits.PATIENCE);
    }

    public HttpResponse<String> send(String method, String path, String body) throws Exception {
        return sendAsync(method, path, body).get();
    }

    public CompletableFuture<HttpResponse<String>> sendAsync(String method, String path, String body) {
        return sendAsync(KEY, method, path, body);
    }

    public CompletableFuture<HttpResponse<String>> sendAsync(ApiKey key, String method, String path, String body) {
        return http.sendAsync(
                request(path)
                        .header("Authorization", key.authorization())
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    public HttpResponse<String> put(String name, int concurrency) throws Exception {
        return send("PUT", "/api/v1/namespaces/_/actions/" + name + "?overwrite=true", action(concurrency));
    }

    public static String action(int concurrency) {
        return "{\"exec\":{\"kind\":\"test\"},\"limits\":{\"memory\":64,\"concurrency\":" + concurrency + "}}";
    }

    public CompletableFuture<HttpResponse<String>> invoke(String name, String query, String body) {
        return sendAsync("POST", "/api/v1/namespaces/_/actions/" + name + query, body);
    }

    public static JsonNode json(HttpResponse<String> response) throws Exception {
        return Json.mapper().readTree(response.body());
    }

    @Override
    public void close() {
        gateway.close();
        launcher.close();
        scheduler.close();
    }
}
