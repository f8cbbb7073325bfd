package io.lambdafs.client.http;

import static io.lambdafs.client.ClientFixture.failure;
import static io.lambdafs.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.client.ClientFixture;
import io.lambdafs.client.TestGateway;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The invokers of platforms' APIs against a server that answers what an OpenWhisk 1.0.0 answered, or an instance for plain HTTP. */
class PlatformApisTest {
    private static final String ID = "3a5b0cf1d2e94cc09b0cf1d2e9fcc0e4";
    private static final String ACCEPTED = "{\"activationId\":\"" + ID + "\"}";
    private static final String NOT_THERE = "{\"code\":\"c1\",\"error\":\"The requested resource does not exist.\"}";
    private static final String TOO_MANY =
            "{\"code\":\"c2\",\"error\":\"Too many requests in the last minute (count: 4, allowed: 3).\"}";

    private final ClientFixture fixture = new ClientFixture();
    private final HttpClient http = new HttpClient(Runnable::run);
    private final Queue<HttpReply> script = new ArrayDeque<>();
    private final List<HttpCall> calls = new CopyOnWriteArrayList<>();
    private HttpServer platform;

    private final class Platform implements HttpHandler {
        @Override
        public CompletionStage<HttpReply> handle(HttpCall call) {
            calls.add(call);
            synchronized (script) {
                return CompletableFuture.completedFuture(script.size() > 1 ? script.remove() : script.element());
            }
        }

        @Override
        public List<Secret> keys() {
            return List.of(Secret.of(ClientFixture.API_KEY));
        }
    }

    @BeforeEach
    void start() throws IOException {
        platform = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new Platform(), HttpLimits.defaults());
    }

    @AfterEach
    void close() {
        platform.close();
        http.close();
        fixture.close();
    }

    private ClientConfigBuilder config() {
        return fixture.config().deployments(2).gateway(URI.create("http://127.0.0.1:" + platform.port()));
    }

    private Optional<OperationReply> call(ClientConfig config) {
        return get(open(config).invoke(invocation(Duration.ofSeconds(20))));
    }

    private Invoker open(ClientConfig config) {
        return Invokers.open(config, () -> http, RpcMessages.codec(), fixture.scheduler);
    }

    private static Invocation invocation(Duration patience) {
        OperationRequest request = new OperationRequest(
                0, new RequestId(1, 2, 3, 4), 1, Long.MAX_VALUE, new ReadOperation.Stat(FsPath.of("/f")));
        return new Invocation(1, request, "token", List.of(), false, patience.toNanos());
    }

    private static HttpReply answer() {
        return TestGateway.reply(new OperationReply(1, 7, false, Reply.Done.YES));
    }

    /** The record of an activation as OpenWhisk shows it. */
    private static HttpReply record(String status, boolean success, String result) {
        return HttpReply.json(200, """
                {"activationId":"%s","annotations":[{"key":"path","value":"guest/nn1"},{"key":"waitTime","value":583}],
                 "duration":61002,"end":1764104462002,"logs":[],"name":"nn1","namespace":"guest","publish":false,
                 "response":{"result":%s,"size":31,"status":"%s","success":%s},"start":1764104401000,"statusCode":0,
                 "subject":"guest","version":"0.0.1"}""".formatted(ID, result, status, success));
    }

    private static String text(HttpReply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldAskForTheRecordOfACallThatOpenWhiskStoppedWaitingFor() {
        script.addAll(List.of(
                HttpReply.json(202, ACCEPTED),
                HttpReply.json(404, NOT_THERE),
                HttpReply.json(429, TOO_MANY),
                HttpReply.json(502, "{}"),
                record("success", true, text(answer()))));

        assertThat(call(config().namespace("guest").gatewayProof(true).build())
                        .orElseThrow()
                        .epoch())
                .isEqualTo(7);
        assertThat(calls).hasSize(5);
        assertThat(calls.subList(1, 5))
                .allMatch(each -> each.method().equals("GET")
                        && each.path().equals("/api/v1/namespaces/guest/activations/" + ID)
                        && each.header("authorization").isPresent());
    }

    @ParameterizedTest
    @CsvSource({
        "success, true, '{}', TIMED_OUT",
        "action developer error, false, '{\"error\":\"it died\"}', FUNCTION_FAILED",
        "success, true, '{\"v\":1,\"reply\":\"!\"}', INTERNAL"
    })
    void shouldTellWhatBecameOfSuchACall(String status, boolean success, String result, ErrorCode expected) {
        script.addAll(List.of(HttpReply.json(202, ACCEPTED), record(status, success, result)));

        assertThat(failure(open(config().build()).invoke(invocation(Duration.ofSeconds(20))))
                        .code())
                .isEqualTo(expected);
    }

    @Test
    void shouldLeaveOpenWhatNobodyShows() {
        script.addAll(List.of(HttpReply.json(202, ACCEPTED), HttpReply.json(403, "{\"error\":\"not yours\"}")));
        assertThat(failure(open(config().build()).invoke(invocation(Duration.ofSeconds(20))))
                        .code())
                .isEqualTo(ErrorCode.TIMED_OUT);

        script.clear();
        script.addAll(List.of(HttpReply.json(202, ACCEPTED), HttpReply.json(404, NOT_THERE)));
        FsException late = failure(open(config().build()).invoke(invocation(Duration.ofMillis(600))));
        assertThat(late.code()).isEqualTo(ErrorCode.TIMED_OUT);
        assertThat(late.getMessage()).contains("has not ended in time");
    }

    @Test
    void shouldPostToTheAddressOfEachFunctionByPlainHttp() {
        script.add(answer());
        String address = "http://127.0.0.1:" + platform.port() + "/in/{function}/";

        assertThat(call(config().api("http")
                                .functionUrl(address)
                                .actionPrefix("fs-nn")
                                .build())
                        .orElseThrow()
                        .epoch())
                .isEqualTo(7);
        assertThat(calls).singleElement().satisfies(call -> {
            assertThat(call.path()).isEqualTo("/in/fs-nn1/");
            assertThat(new String(call.body(), StandardCharsets.UTF_8)).startsWith("{\"v\":1,\"request\":\"");
        });
    }

    @Test
    void shouldTakeA202OfPlainHttpForNoAnswer() {
        script.add(HttpReply.json(202, ACCEPTED));
        String address = "http://127.0.0.1:" + platform.port() + "/{function}";

        assertThat(failure(open(config().api("http").functionUrl(address).build())
                                .invoke(invocation(Duration.ofSeconds(20))))
                        .code())
                .isEqualTo(ErrorCode.TIMED_OUT);
        assertThat(calls).hasSize(1);
    }

    @Test
    void shouldRefuseAnApiThatNobodyKnowsAndAnAddressWithoutItsFunction() {
        ClientConfig unknown =
                config().api("carrier-pigeon").apiOptions(Map.of("loft", "1")).build();

        assertThatThrownBy(() -> open(unknown)).hasMessageContaining("carrier-pigeon");
        assertThatThrownBy(() -> config().api("http").build()).hasMessageContaining("function.url must be");
        assertThatThrownBy(() -> config().api("http").functionUrl("http://x/").build())
                .hasMessageContaining("{function}");
    }
}
