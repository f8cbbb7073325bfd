package io.lambdafs.functions.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.functions.instance.ActionMain;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Bound;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.transports.TransportKind;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ActionServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long CALL_NANOS = PatientWaits.PATIENCE.toNanos();

    @TempDir
    Path directory;

    private final MemoryCluster cluster = new MemoryCluster();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicLong sequence = new AtomicLong();
    private ActionMain action;

    @BeforeEach
    void start() throws Exception {
        action = cluster.action(directory.resolve("port"));
    }

    @AfterEach
    void stop() {
        action.close();
        cluster.close();
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + action.port() + path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + action.port() + path))
                .GET()
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> init(String name) throws Exception {
        return post("/init", """
                {"value":{"name":"ignored","main":"main","code":"","binary":false,
                  "env":{"__OW_API_HOST":"http://x","__OW_ACTION_NAME":"%s","LAMBDAFS_INSTANCE_ID":"i-7"}}}""".formatted(name));
    }

    private OperationRequest request(int principal, Operation<?> operation) {
        RequestId id = new RequestId(1, 2, 0, sequence.incrementAndGet());
        return new OperationRequest(principal, id, 1, cluster.scheduler.currentTimeMillis() + 30_000, operation);
    }

    private String run(String token, Operation<?> operation, String tcp) {
        WireWriter out = new WireWriter();
        cluster.codec.write(out, request(0, operation));
        String encoded = Base64.getEncoder().encodeToString(out.toByteArray());
        return "{\"value\":{\"v\":1,\"request\":\"" + encoded + "\",\"token\":\"" + token + "\",\"tcp\":[" + tcp
                + "]},\"activation_id\":\"a1\",\"deadline\":\"1\",\"namespace\":\"_\",\"extra\":{\"deep\":[1,{}]}}";
    }

    private String token() {
        return cluster.token(Duration.ofMinutes(1));
    }

    private OperationReply reply(HttpResponse<String> response) throws Exception {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        JsonNode body = JSON.readTree(response.body());
        assertThat(body.get("v").intValue()).isEqualTo(1);
        byte[] bytes = Base64.getDecoder().decode(body.get("reply").textValue());
        return (OperationReply) cluster.codec.read(new WireReader(bytes));
    }

    private static ErrorCode failure(Message reply) {
        return ((Reply.Failure) ((OperationReply) reply).reply()).code();
    }

    private static Operation<?> stat(String path) {
        return new ReadOperation.Stat(FsPath.of(path));
    }

    private static Operation<?> mkdir(String path) {
        return new NamespaceOperation.Mkdirs(FsPath.of(path), 0755, true);
    }

    private String server(ClientServer server, String secret) {
        return "{\"host\":\"127.0.0.1\",\"port\":" + server.port() + ",\"registration\":\"" + secret + "\"}";
    }

    /** Returns the content of the envelope of a {@code /run}. */
    private static String bare(String run) throws Exception {
        return JSON.readTree(run).get("value").toString();
    }

    @Test
    void shouldServePlainPostsAsTheDeploymentThatItWasStartedFor() throws Exception {
        assertThat(post("/", bare(run(token(), stat("/"), ""))).statusCode())
                .as("without a deployment")
                .isEqualTo(500);
        action.close();
        action = cluster.action(directory.resolve("port"), null, OptionalInt.of(1));

        OperationReply answer = reply(post("/", bare(run(token(), stat("/"), ""))));

        assertThat(answer.reply()).isInstanceOf(Reply.Status.class);
        assertThat(JSON.readTree(get("/healthz").body()).get("deployment").intValue())
                .isEqualTo(1);
        assertThat(failure(reply(post("/", bare(run("forged", stat("/"), ""))))))
                .isEqualTo(ErrorCode.UNAUTHENTICATED);
        assertThat(post("/", run(token(), stat("/"), "")).statusCode())
                .as("an envelope where none belongs")
                .isEqualTo(400);
        assertThat(init("nn0").statusCode()).isEqualTo(403);
    }

    @Test
    void shouldDialNobodyForAPlainPostThatNamesWhereItComesFrom() throws Exception {
        action.close();
        action = cluster.action(directory.resolve("port"), null, OptionalInt.of(0));
        String body = bare(run(token(), stat("/"), "")).replaceFirst("^\\{", "{\"client_address\":\"127.0.0.1\",");

        assertThat(reply(post("/", body)).reply()).isInstanceOf(Reply.Status.class);
        assertThat(RunCall.parseBare(body.getBytes(StandardCharsets.UTF_8)).client())
                .isNull();
    }

    @Test
    void shouldBeCalledByNobodyButThePlatformThatGaveItAKey() throws Exception {
        Secret key = Secret.generate();
        action.close();
        action = cluster.action(directory.resolve("port"), key, OptionalInt.empty());
        String init = "{\"value\":{\"name\":\"nn0\"}}";

        assertThat(init("nn0").statusCode()).isEqualTo(401);
        assertThat(post("/run", run(token(), stat("/"), "")).statusCode()).isEqualTo(401);
        // Paths of users are on no page for everybody.
        assertThat(get("/slowest").statusCode()).isEqualTo(401);
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
        assertThat(get("/healthz").body()).contains("prewarmed");

        try (io.lambdafs.rpc.http.HttpClient platform = new io.lambdafs.rpc.http.HttpClient(Runnable::run)) {
            for (String body : List.of(init, run(token(), stat("/"), ""))) {
                io.lambdafs.rpc.http.HttpRequest call = new io.lambdafs.rpc.http.HttpRequest(
                        "POST",
                        URI.create("http://127.0.0.1:" + action.port() + (body.equals(init) ? "/init" : "/run")),
                        Map.of("Authorization", key.authorization()),
                        body.getBytes(StandardCharsets.UTF_8),
                        1 << 20,
                        TimeUnit.SECONDS.toNanos(30));
                assertThat(platform.send(call.demanding(key))
                                .toCompletableFuture()
                                .get()
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void shouldWriteItsPortOnceItListens() throws Exception {
        assertThat(Files.readString(directory.resolve("port")).strip()).isEqualTo(Integer.toString(action.port()));
        assertThat(directory).isDirectoryNotContaining("glob:**.port*");
        assertThat(get("/healthz").body()).contains("prewarmed");
    }

    @Test
    void shouldServeOperationsAfterInit() throws Exception {
        assertThat(post("/run", run(token(), stat("/"), "")).statusCode()).isEqualTo(500);
        HttpResponse<String> ready = init("/guest/nn1");
        assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
        OperationReply made = reply(post("/run", run(token(), mkdir("/a/b"), "")));
        assertThat(made.reply()).isEqualTo(Reply.Done.YES);
        assertThat(made.deployment()).isEqualTo(1);
        assertThat(made.epoch()).isPositive();
        OperationReply found = reply(post("/run", run(token(), stat("/a"), "")));
        assertThat(((Reply.Status) found.reply()).attributes().owner()).isEqualTo("admin");
        assertThat(failure(reply(post("/run", run(token(), stat("/none"), "")))))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(get("/healthz").body()).contains("\"ready\"").contains("\"deployment\":1");
    }

    @Test
    void shouldTellWhenItCameHowFarInItsStart() throws Exception {
        long before = System.currentTimeMillis();
        init("/guest/nn1");
        reply(post("/run", run(token(), stat("/"), "")));
        // Noted by another thread than the one that answers.
        await().until(() -> get("/healthz").body().contains("\"joined\""));
        JsonNode times = JSON.readTree(get("/healthz").body()).get("startMicros");
        assertThat(times.get("listening").longValue()).isPositive();
        assertThat(times.get("initialised").longValue() / 1_000).isBetween(before, System.currentTimeMillis());
        assertThat(times.get("joined").longValue())
                .isGreaterThan(times.get("listening").longValue());
        assertThat(times.has("main")).as("it runs within another process").isFalse();
        assertThat(JSON.readTree(get("/healthz").body()).get("startMicros")).isEqualTo(times);
    }

    @Tag("slow")
    @Test
    void shouldNotCallItselfHealthyWhileItHasNoLease() throws Exception {
        init("/guest/nn1");
        reply(post("/run", run(token(), mkdir("/a"), "")));
        cluster.cut(true);
        await().until(() -> get("/healthz").statusCode() == 503);
        assertThat(JSON.readTree(get("/healthz").body()).path("error").textValue())
                .startsWith("no lease for ")
                .contains("coordinator");
        cluster.cut(false);
        await().until(() -> get("/healthz").statusCode() == 200);
    }

    @Test
    void shouldAnswerAboutItsHealthFromTheThreadsThatWork() throws Exception {
        init("/guest/nn1");
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < MemoryCluster.WORKERS; i++) {
            cluster.scheduler.execute(() -> {
                try {
                    end.await();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        HttpRequest health = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + action.port() + "/healthz"))
                .timeout(Duration.ofMillis(300))
                .build();
        assertThatThrownBy(() -> http.send(health, HttpResponse.BodyHandlers.ofString()))
                .isInstanceOf(HttpTimeoutException.class);
        end.countDown();
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldRefuseSecondInitAndUnknownDeployment() throws Exception {
        assertThat(init("nn").statusCode()).isEqualTo(400);
        HttpResponse<String> unknown = init("nn1024");
        assertThat(unknown.statusCode()).isEqualTo(502);
        assertThat(unknown.body()).contains("no deployment 1024");
        assertThat(init("nn0").statusCode()).isEqualTo(200);
        HttpResponse<String> again = init("nn0");
        assertThat(again.statusCode()).isEqualTo(403);
        assertThat(again.body()).contains("more than once");
    }

    @Test
    void shouldTakeIdentityFromTheTokenAlone() throws Exception {
        init("nn0");
        String expired = cluster.token(Duration.ofMillis(-1));
        assertThat(failure(reply(post("/run", run(expired, stat("/"), ""))))).isEqualTo(ErrorCode.TOKEN_EXPIRED);
        assertThat(failure(reply(post("/run", run("lfs1.x.y", stat("/"), ""))))).isEqualTo(ErrorCode.UNAUTHENTICATED);
        assertThat(failure(reply(post("/run", run("", stat("/"), ""))))).isEqualTo(ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void shouldRefuseMalformedBodies() throws Exception {
        init("nn0");
        List<String> bodies = List.of(
                "",
                "[]",
                "{",
                "{\"value\":1}",
                "{\"value\":{\"v\":2,\"token\":\"\"}}",
                "{\"value\":{\"v\":[1],\"token\":\"\"}}",
                "{\"value\":{\"v\":1,\"token\":7}}",
                "{\"value\":{\"v\":1,\"token\":\"t\",\"request\":\"%%\"}}",
                "{\"value\":{\"v\":1,\"token\":\"t\",\"tcp\":{}}}",
                "{\"value\":{\"v\":1,\"token\":\"t\",\"tcp\":[{\"host\":\"h\",\"port\":70000,\"registration\":\"r\"}]}}");
        for (String body : bodies) {
            HttpResponse<String> response = post("/run", body);
            assertThat(response.statusCode()).as(body).isEqualTo(400);
            assertThat(JSON.readTree(response.body()).get("error").textValue()).isNotEmpty();
        }
        String garbage = Base64.getEncoder().encodeToString(new byte[] {100, 1, 2, 3});
        String body = "{\"value\":{\"v\":1,\"token\":\"" + token() + "\",\"request\":\"" + garbage + "\"}}";
        assertThat(failure(reply(post("/run", body)))).isEqualTo(ErrorCode.BAD_FRAME);
        assertThat(get("/nothing").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void shouldDialBackAndServeOverTheConnection(TransportKind kind) throws Exception {
        init("nn0");
        ClientServer client = new ClientServer(cluster.transports.of(kind));
        String offer = server(client, ClientServer.SECRET).replace("}", ",\"transport\":\"" + kind.label() + "\"}");
        for (int i = 0; i < 5; i++) {
            reply(post("/run", run(token(), stat("/"), offer + "," + offer)));
        }
        await().untilAsserted(() -> assertThat(client.registered).hasSize(1));
        assertThat(client.registered.get(0).instance()).isEqualTo("i-7");
        assertThat(client.registered.get(0).deployment()).isZero();
        Connection connection = client.connections.get(0);
        int handle = ((Bound) call(connection, new Bind(token()))).principal();
        OperationReply made = (OperationReply) call(connection, request(handle, mkdir("/tcp")));
        assertThat(made.reply()).isEqualTo(Reply.Done.YES);
        assertThat(failure(call(connection, request(handle + 1, stat("/"))))).isEqualTo(ErrorCode.UNAUTHENTICATED);

        action.close();
        await().untilAsserted(() -> assertThat(client.closed).hasSize(1));
    }

    @Test
    void shouldSayWhichTransportsItKnows() throws Exception {
        init("nn0");
        String offer = "{\"host\":\"h\",\"port\":1,\"transport\":\"pigeon\",\"registration\":\"r\"}";
        HttpResponse<String> response = post("/run", run(token(), stat("/"), offer));
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("netty or kryonet", "pigeon");
    }

    @Test
    void shouldAnswerACallThatOnlyAsksForConnections() throws Exception {
        init("nn0");
        ClientServer client = new ClientServer(cluster.transports.of(TransportKind.NETTY));
        String body = "{\"value\":{\"v\":1,\"token\":\"" + token() + "\",\"tcp\":["
                + server(client, ClientServer.SECRET) + "]}}";
        assertThat(post("/run", body).body()).isEqualTo("{\"v\":1}");
        await().untilAsserted(() -> assertThat(client.registered).hasSize(1));
    }

    @Test
    void shouldDialNobodyButItsCallersAndWhatIsAllowed() throws Exception {
        init("nn0");
        String body = "{\"value\":{\"v\":1,\"token\":\"" + token()
                + "\",\"tcp\":[{\"host\":\"192.0.2.1\",\"port\":9,\"registration\":\"r\"}]}";

        OperationReply refused = reply(post("/run", body + "}"));
        assertThat(failure(refused)).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(((Reply.Failure) refused.reply()).message()).contains("192.0.2.1", "clientRanges");
        assertThat(failure(reply(post("/run", body + ",\"client_address\":\"192.0.2.2\"}"))))
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(post("/run", body + ",\"client_address\":\"192.0.2.1\"}").body())
                .isEqualTo("{\"v\":1}");
    }

    @Test
    void shouldCloseAConnectionThatTheClientRefusesAndTryAgainWithAnotherCall() throws Exception {
        init("nn0");
        ClientServer client = new ClientServer(cluster.transports.of(TransportKind.NETTY));
        post("/run", run(token(), stat("/"), server(client, "guessed")));
        await().untilAsserted(() -> assertThat(client.closed).hasSize(1));
        await().untilAsserted(() -> {
            post("/run", run(token(), stat("/"), server(client, ClientServer.SECRET)));
            assertThat(client.registered).hasSize(1);
        });
    }

    @Test
    void shouldShowMetrics() throws Exception {
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
        init("nn0");
        // What was looked up before the instance had joined is not cached: this one waits for that.
        reply(post("/run", run(token(), mkdir("/first"), "")));
        reply(post("/run", run(token(), mkdir("/m"), "")));
        reply(post("/run", run(token(), stat("/m"), "")));
        String page = get("/metrics").body();
        assertThat(page.lines().filter(line -> line.matches("# HELP \\S+ *")))
                .as("metrics without help")
                .isEmpty();
        assertThat(page)
                .contains("lambdafs_operation_seconds_count{deployment=\"0\",operation=\"mkdirs\"} 2")
                .contains("lambdafs_requests_total{deployment=\"0\",transport=\"http\"} 3")
                .contains("lambdafs_retries_total{deployment=\"0\"} 0")
                .contains("lambdafs_cache_bytes")
                .contains("lambdafs_cache_misses_total{deployment=\"0\",role=\"entry\"} 1")
                .contains("lambdafs_invalidation_round_seconds_count")
                .contains("lambdafs_failures_total");
        assertThat(value(page, "lambdafs_cache_misses_total{deployment=\"0\",role=\"link\"}"))
                .isBetween(1.0, 2.0);
        assertThat(value(page, "lambdafs_cache_hits_total{deployment=\"0\",role=\"link\"}"))
                .isBetween(1.0, 2.0);
        assertThat(value(page, "lambdafs_billed_milliseconds_total{")).isGreaterThanOrEqualTo(1);
    }

    private static double value(String page, String start) {
        List<String> lines = page.lines().filter(line -> line.startsWith(start)).toList();
        assertThat(lines).as(page).hasSize(1);
        return Double.parseDouble(lines.get(0).substring(lines.get(0).indexOf(' ')));
    }

    @Test
    void shouldEndEachActivationsLogs() throws Exception {
        init("nn0");
        post("/run", run(token(), stat("/"), ""));
        post("/run", run("", stat("/"), ""));
        assertThat(cluster.printed.toString(StandardCharsets.UTF_8).lines())
                .containsOnly(ActivationLog.END)
                .hasSize(4);
    }

    @Test
    void shouldLeaveInOrder() throws Exception {
        init("nn0");
        reply(post("/run", run(token(), mkdir("/left"), "")));
        action.close();
        action = cluster.action(directory.resolve("second"));
        init("nn0");
        OperationReply found = reply(post("/run", run(token(), stat("/left"), "")));
        assertThat(found.reply()).isInstanceOf(Reply.Status.class);
    }

    private static Message call(Connection connection, Message message) throws Exception {
        return connection.request(message, CALL_NANOS).toCompletableFuture().get();
    }
}
