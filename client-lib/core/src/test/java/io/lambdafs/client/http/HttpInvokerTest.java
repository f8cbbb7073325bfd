package io.lambdafs.client.http;

import static io.lambdafs.client.ClientFixture.failure;
import static io.lambdafs.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.ClientFixture;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.transports.TransportKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpInvokerTest {
    private static final long WAIT = PatientWaits.PATIENCE.toNanos();

    private final ClientFixture fixture = new ClientFixture();
    private final HttpClient http = new HttpClient(Runnable::run);

    @AfterEach
    void close() {
        http.close();
        fixture.close();
    }

    private HttpInvoker invoker(URI gateway) {
        return new HttpInvoker(
                fixture.config().gateway(gateway).build(), () -> http, RpcMessages.codec(), fixture.scheduler);
    }

    private static Invocation invocation(long timeoutNanos) {
        OperationRequest request = new OperationRequest(
                0, new RequestId(1, 2, 3, 4), 1, Long.MAX_VALUE, new ReadOperation.Stat(FsPath.of("/f")));
        return new Invocation(
                0, request, "token", List.of(new TcpOffer("h", 1, TransportKind.KRYONET, "r")), false, timeoutNanos);
    }

    @ParameterizedTest
    @CsvSource({
        "401, UNAUTHENTICATED",
        "403, UNAUTHENTICATED",
        "404, UNAVAILABLE",
        "413, INVALID_ARGUMENT",
        "429, THROTTLED",
        "503, THROTTLED",
        "502, FUNCTION_FAILED",
        "507, STORE_FULL",
        "202, TIMED_OUT",
        "400, INTERNAL",
        "500, FUNCTION_FAILED",
        "302, INTERNAL"
    })
    void shouldTypeEveryStatus(int status, ErrorCode expected) {
        fixture.gateway.answersStatus(status, "{\"code\":\"x\",\"error\":\"what it\\nsaid\"}");

        FsException failure = failure(invoker(fixture.gateway.address()).invoke(invocation(WAIT)));

        assertThat(failure.code()).isEqualTo(expected).isNotEqualTo(ErrorCode.NOT_FOUND);
        assertThat(failure.getMessage()).contains("what it said");
    }

    @Test
    void shouldSayWhatIsWrongWhereDeploymentIsMissing() {
        fixture.gateway.answersStatus(404, "{\"error\":\"The requested resource does not exist.\"}");

        FsException failure = failure(invoker(fixture.gateway.address()).invoke(invocation(WAIT)));

        assertThat(failure.getMessage())
                .contains(
                        "deployment namenode0 is not registered",
                        fixture.gateway.address().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>",
                "[]",
                "{}",
                "{\"v\":2}",
                "{\"v\":1}",
                "{\"v\":1,\"reply\":\"!\"}",
                "{\"v\":1,\"reply\":\"AAAA\"}",
                "{\"v\":1,\"reply\":7}"
            })
    void shouldNotTakeForeignAnswerForReply(String body) {
        fixture.gateway.answersStatus(200, body);

        FsException failure = failure(invoker(fixture.gateway.address()).invoke(invocation(WAIT)));

        assertThat(failure.code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(failure.getMessage()).contains("is no reply of λFS");
    }

    private void repliesWith(Message message) {
        WireWriter out = new WireWriter();
        RpcMessages.codec().write(out, message);
        String reply = Base64.getEncoder().encodeToString(out.toByteArray());
        fixture.gateway.answersStatus(200, "{\"v\":1,\"reply\":\"" + reply + "\"}");
    }

    @Test
    void shouldTellTheFailureThatIsTheReplyAndTakeNoOtherMessageForOne() {
        repliesWith(new Failed(ErrorCode.PERMISSION_DENIED, "not for alice"));
        FsException refused = failure(invoker(fixture.gateway.address()).invoke(invocation(WAIT)));
        assertThat(refused.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(refused).hasMessageContaining("not for alice");

        repliesWith(Done.DONE);
        FsException foreign = failure(invoker(fixture.gateway.address()).invoke(invocation(WAIT)));
        assertThat(foreign.code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(foreign).hasMessageContaining("is no reply of λFS");
    }

    @Test
    void shouldNotReadAnswerBeyondTheLimit() {
        byte[] long9 = ("\"" + "x".repeat(FunctionBody.MAX_BYTES) + "\"").getBytes(StandardCharsets.UTF_8);
        fixture.gateway.answers(called -> CompletableFuture.completedFuture(HttpReply.json(200, long9)));

        assertThat(failure(invoker(fixture.gateway.address()).invoke(invocation(WAIT)))
                        .code())
                .isEqualTo(ErrorCode.BAD_FRAME);
    }

    @Test
    void shouldNameGatewayThatCannotBeReached() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        URI nobody = URI.create("http://127.0.0.1:" + free);
        HttpInvoker invoker = invoker(nobody);

        FsException failure = failure(invoker.invoke(invocation(WAIT)));

        assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failure.getMessage()).contains(nobody.toString(), "start the cluster");
        assertThat(invoker.hasReached()).isFalse();
    }

    @Test
    void shouldLeaveOutcomeOpenWhereConnectionBreaks() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread closer = new Thread(() -> {
                try {
                    while (true) {
                        socket.accept().close();
                    }
                } catch (IOException closed) {
                    // The test is over.
                }
            });
            closer.start();

            FsException failure = failure(invoker(URI.create("http://127.0.0.1:" + socket.getLocalPort()))
                    .invoke(invocation(WAIT)));

            assertThat(failure.code().disposition()).isEqualTo(Disposition.OUTCOME_UNKNOWN);
            assertThat(failure.code()).isEqualTo(ErrorCode.CONNECTION_LOST);
        }
    }

    @Tag("slow")
    @Test
    void shouldTimeOutWhereFunctionDoesNotAnswer() {
        fixture.gateway.answers(called -> new CompletableFuture<>());

        FsException failure = failure(invoker(fixture.gateway.address())
                .invoke(invocation(Duration.ofSeconds(2).toNanos())));

        assertThat(failure.code()).isEqualTo(ErrorCode.TIMED_OUT);
    }

    @Test
    void shouldWakeWithoutRequest() {
        fixture.gateway.answersStatus(200, "{\"v\":1}");

        assertThat(get(invoker(fixture.gateway.address())
                        .invoke(new Invocation(0, null, "token", List.of(), false, WAIT))))
                .isEmpty();
        assertThat(fixture.gateway.calls().get(0).request()).isNull();
    }

    @Test
    void shouldShowNoSecretAsText() {
        assertThat(invocation(1).toString() + invocation(1).tcp()).doesNotContain("token", "registration", "r]");
        assertThat(fixture.config().build().toString()).doesNotContain(ClientFixture.API_KEY);
    }

    @Test
    void shouldNotAskAgainForAReplyThatIsTooLarge() {
        fixture.gateway.answersStatus(
                502,
                "{\"error\":\"The action produced a response that exceeded the allowed length:"
                        + " > 1048576 bytes.\"}");

        FsException failure = failure(invoker(fixture.gateway.address()).invoke(invocation(WAIT)));

        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_FRAME);
        assertThat(failure.code().disposition()).isEqualTo(Disposition.FINAL);
        assertThat(failure).hasMessageContaining("exceeded the allowed length: > 1048576 bytes");
    }
}
