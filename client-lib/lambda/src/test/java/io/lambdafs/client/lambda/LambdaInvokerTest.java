package io.lambdafs.client.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.http.Invocation;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.transports.TransportKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Lambda's Invoke against a server that answers as Lambda's reference says. */
@Tag("once")
class LambdaInvokerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final AwsCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "key"));

    private final SystemScheduler scheduler = new SystemScheduler("test", 2, 100);
    private final List<HttpCall> calls = new CopyOnWriteArrayList<>();
    private HttpServer lambda;
    private volatile HttpReply answer = HttpReply.json(200, "{}");

    @BeforeEach
    void start() throws IOException {
        lambda = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                call -> {
                    calls.add(call);
                    boolean event =
                            call.header("x-amz-invocation-type").orElse("").equals("Event");
                    return CompletableFuture.completedFuture(event ? HttpReply.json(202, "") : answer);
                },
                HttpLimits.defaults());
    }

    @AfterEach
    void stop() {
        lambda.close();
        scheduler.close();
    }

    private LambdaInvoker invoker(boolean held, AwsCredentialsProvider credentials) {
        URI endpoint = URI.create("http://127.0.0.1:" + lambda.port());
        return new LambdaInvoker(
                new LambdaInvoker.Functions(endpoint, "eu-north-1", "fs-nn", "live", held),
                RpcMessages.codec(),
                scheduler,
                credentials);
    }

    private static Invocation invocation() {
        OperationRequest request = new OperationRequest(
                0, new RequestId(1, 2, 3, 4), 1, Long.MAX_VALUE, new ReadOperation.Stat(FsPath.of("/f")));
        return new Invocation(
                1,
                request,
                "token",
                List.of(new TcpOffer("10.0.0.1", 1, TransportKind.NETTY, "r")),
                false,
                PATIENCE.toNanos());
    }

    private static HttpReply served() {
        WireWriter out = new WireWriter();
        RpcMessages.codec().write(out, new OperationReply(1, 7, false, Reply.Done.YES));
        return HttpReply.json(
                200, "{\"v\":1,\"reply\":\"" + Base64.getEncoder().encodeToString(out.toByteArray()) + "\"}");
    }

    private static FsException failure(LambdaInvoker invoker) {
        CompletableFuture<Optional<OperationReply>> call =
                invoker.invoke(invocation()).toCompletableFuture();
        Awaitility.await().until(call::isDone);
        Throwable thrown = call.handle((reply, failure) -> failure).join();
        return FsException.of(thrown);
    }

    @Test
    void shouldCallTheAliasSignedAndTakeTheReply() {
        answer = served();

        assertThat(invoker(false, CREDENTIALS).invoke(invocation()))
                .succeedsWithin(PatientWaits.PATIENCE)
                .satisfies(reply -> assertThat(reply.orElseThrow().epoch()).isEqualTo(7));
        assertThat(calls).singleElement().satisfies(call -> {
            assertThat(call.path()).isEqualTo("/2015-03-31/functions/fs-nn1/invocations");
            assertThat(call.header("x-amz-invocation-type")).contains("RequestResponse");
            assertThat(call.header("authorization").orElse(""))
                    .startsWith("AWS4-HMAC-SHA256 Credential=id/")
                    .contains("/eu-north-1/lambda/aws4_request");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "401, UNAUTHENTICATED",
        "403, UNAUTHENTICATED",
        "404, UNAVAILABLE",
        "413, INVALID_ARGUMENT",
        "429, THROTTLED",
        "500, FUNCTION_FAILED",
        "502, FUNCTION_FAILED",
        "400, INTERNAL"
    })
    void shouldTypeEveryStatus(int status, ErrorCode expected) {
        answer = HttpReply.json(
                status, "{\"Reason\":\"ConcurrentInvocationLimitExceeded\",\"message\":\"Rate\nExceeded.\"}");

        FsException failure = failure(invoker(false, CREDENTIALS));

        assertThat(failure.code()).isEqualTo(expected).isNotEqualTo(ErrorCode.NOT_FOUND);
        assertThat(failure.getMessage()).contains("Rate Exceeded");
    }

    /** Status 200, and an error of the runtime's in place of what the function answers. */
    @Test
    void shouldTellAFunctionThatFailedFromOneThatAnswered() {
        answer = HttpReply.json(200, "{\"errorMessage\":\"Task timed out after 3.00 seconds\"}")
                .withHeader("X-Amz-Function-Error", "Unhandled");

        FsException failure = failure(invoker(false, CREDENTIALS));

        assertThat(failure.code()).isEqualTo(ErrorCode.FUNCTION_FAILED);
        assertThat(failure.getMessage()).contains("fs-nn1", "Task timed out");
    }

    @Test
    void shouldAskForConnectionsByACallThatNobodyWaitsForWhereInvocationsAreHeld() {
        answer = served();

        assertThat(invoker(true, CREDENTIALS).invoke(invocation())).succeedsWithin(PatientWaits.PATIENCE);

        Awaitility.await().until(() -> calls.size() == 2);
        assertThat(calls)
                .allSatisfy(call -> assertThat(new String(call.body(), StandardCharsets.UTF_8))
                        .satisfies(body -> assertThat(body.contains("10.0.0.1"))
                                .as("offers of connections go with the event alone")
                                .isEqualTo(call.header("x-amz-invocation-type")
                                        .orElse("")
                                        .equals("Event"))));
    }

    @Test
    void shouldSayThatThereAreNoCredentials() {
        FsException failure = failure(invoker(false, () -> {
            throw SdkClientException.create("Unable to load credentials");
        }));

        assertThat(failure.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
        assertThat(failure.getMessage()).contains("AWS_PROFILE");
        assertThat(calls).isEmpty();
    }

    @Test
    void shouldSayThatLambdaCannotBeReached() {
        LambdaInvoker invoker = invoker(false, CREDENTIALS);
        lambda.close();

        assertThat(failure(invoker).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(invoker.hasReached()).isFalse();
    }
}
