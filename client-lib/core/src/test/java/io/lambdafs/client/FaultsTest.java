package io.lambdafs.client;

import static io.lambdafs.client.ClientFixture.failure;
import static io.lambdafs.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.message.OperationRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the client on platforms, networks and instances that fail. */
@Tag("once")
public class FaultsTest {
    private static final FsPath PATH = FsPath.of("/d/f");

    private final ClientFixture fixture = new ClientFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Times deadline(Duration limit) {
        return times(Duration.ofMillis(500), limit);
    }

    public static Times times(Duration attempt, Duration deadline) {
        return ClientFixture.TIMES.withAttempt(attempt).withDeadline(deadline);
    }

    private TestInstance connect(LambdaFs fs) {
        TestInstance instance = fixture.instance(0, 1).answers(ClientFixture.serving());
        fixture.starts(instance);
        get(fs.stat(PATH));
        await().until(() -> fs.metrics().snapshot().connections() == 1);
        return instance;
    }

    @Test
    void shouldSayThatOutcomeIsUnknownAtDeadlineAndNeverUseSlotAgain() {
        LambdaFs fs = fixture.open(fixture.config().times(deadline(Duration.ofSeconds(2))));
        fixture.gateway.answersStatus(502, "{\"error\":\"died\"}");

        FsException failure = failure(fs.delete(PATH, true));
        int attempts = Integer.parseInt(failure.getMessage().replaceAll("(?s).*, (\\d+) attempts].*", "$1"));
        await().until(() -> fixture.gateway.calls().size() == attempts);
        fixture.gateway.answersWith(ClientFixture::serve);
        get(fs.delete(PATH, true));
        get(fs.delete(PATH, true));

        assertThat(failure.code().disposition()).isEqualTo(Disposition.OUTCOME_UNKNOWN);
        assertThat(failure.getMessage()).contains("outcome unknown", "delete /d/f");
        assertThat(attempts).isGreaterThan(1);
        List<OperationRequest> requests = fixture.gateway.calls().stream()
                .map(TestGateway.Called::request)
                .toList();
        int retired = requests.get(0).id().slot();
        assertThat(requests.subList(attempts, attempts + 2))
                .extracting(request -> request.id().slot())
                .containsOnly(retired + 1);
    }

    @Test
    void shouldKeepOutcomeUnknownWhenLaterAttemptsHadNoEffect() {
        LambdaFs fs = fixture.open(fixture.config().times(deadline(Duration.ofSeconds(2))));
        AtomicInteger calls = new AtomicInteger();
        fixture.gateway.answers(called -> CompletableFuture.completedFuture(
                HttpReply.json(calls.getAndIncrement() == 0 ? 502 : 429, "{\"error\":\"later\"}")));

        FsException failure = failure(fs.mkdirs(PATH, 0755));

        assertThat(failure.code().disposition()).isEqualTo(Disposition.OUTCOME_UNKNOWN);
        assertThat(failure.getMessage()).contains("outcome unknown");
        assertThat(fs.metrics().snapshot().retries()).containsKey(ErrorCode.THROTTLED);
    }

    @Test
    void shouldTakeServiceWordForDecidedAfterUnknownAttempt() {
        LambdaFs fs = fixture.open();
        AtomicInteger calls = new AtomicInteger();
        fixture.gateway.answers(called -> CompletableFuture.completedFuture(
                calls.getAndIncrement() == 0
                        ? HttpReply.json(502, "{}")
                        : TestGateway.reply(
                                called, request -> new Reply.Failure(ErrorCode.ALREADY_EXISTS, "it is there"))));

        assertThat(failure(fs.create(PATH, new byte[0], CreateOptions.DEFAULT)).code())
                .isEqualTo(ErrorCode.ALREADY_EXISTS);
        failure(fs.create(PATH, new byte[0], CreateOptions.DEFAULT));

        assertThat(fixture.gateway.calls())
                .extracting(called -> called.request().id().slot())
                .containsOnly(1);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {202, 401, 404, 413, 429, 500, 502, 503, 507})
    void shouldNeverTakePlatformFailureForAnswerAboutFile(int status) {
        LambdaFs fs = fixture.open(fixture.config().times(deadline(Duration.ofSeconds(1))));
        fixture.gateway.answersStatus(status, "{\"error\":\"The requested resource does not exist.\"}");

        for (CompletionStage<?> operation :
                List.of(fs.stat(PATH), fs.delete(PATH, true), fs.list(PATH, "", 10), fs.rename(PATH, PATH, null))) {
            assertThat(failure(operation).code().number()).isNotEqualTo(ErrorCode.NOT_FOUND.number());
        }
    }

    @Test
    void shouldTryAgainWhereRestartedGatewayIsStillToBeToldItsFunctions() {
        LambdaFs fs = fixture.open(fixture.config());
        AtomicInteger calls = new AtomicInteger();
        fixture.gateway.answers(called -> CompletableFuture.completedFuture(
                calls.incrementAndGet() % 3 == 2
                        ? HttpReply.json(404, "{\"error\":\"The requested resource does not exist.\"}")
                        : TestGateway.reply(called, request -> Reply.Done.YES)));

        for (int i = 0; i < 4; i++) {
            assertThat(get(fs.delete(PATH, true))).isTrue();
        }

        assertThat(calls).hasValueGreaterThan(4);
    }

    @Test
    void shouldNotGiveUpSoonWhereItWasServedByConnectionsOfOthersThatBroke() {
        TestInstance instance = connect(fixture.open());
        LambdaFs fs = fixture.open(fixture.config().firstContact(Duration.ZERO));
        get(fs.stat(PATH));
        instance.cut();
        await().until(() -> fs.metrics().snapshot().connections() == 0);
        AtomicInteger calls = new AtomicInteger();
        fixture.gateway.answers(called -> CompletableFuture.completedFuture(
                calls.incrementAndGet() == 1
                        ? HttpReply.json(404, "{\"error\":\"The requested resource does not exist.\"}")
                        : TestGateway.reply(called, ClientFixture::serve)));

        assertThat(get(fs.delete(PATH, true))).isTrue();

        assertThat(calls).hasValue(2);
    }

    /** Longer than the first contact may take, by far. */
    private static Function<TestGateway.Called, CompletionStage<HttpReply>> after(
            Duration time, HttpReply before, Function<TestGateway.Called, HttpReply> then) {
        long end = System.nanoTime() + time.toNanos();
        return called -> CompletableFuture.completedFuture(System.nanoTime() < end ? before : then.apply(called));
    }

    @Test
    void shouldGoOnWhereGatewayWasReachedThoughItKnowsNoFunctionYet() {
        LambdaFs fs = fixture.open(fixture.config().firstContact(Duration.ofMillis(20)));
        fixture.gateway.answers(after(
                Duration.ofMillis(400),
                HttpReply.json(404, "{\"error\":\"The requested resource does not exist.\"}"),
                called -> TestGateway.reply(called, request -> Reply.Done.YES)));

        assertThat(get(fs.delete(PATH, true))).isTrue();
    }

    @Test
    void shouldGiveUpSoonWhereGatewayIsWrong() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        LambdaFs fs = fixture.open(fixture.config()
                .gateway(URI.create("http://127.0.0.1:" + free))
                .firstContact(Duration.ofMillis(200))
                .times(deadline(Duration.ofMinutes(9))));

        FsException failure = failure(fs.stat(PATH));

        assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failure.getMessage())
                .contains("http://127.0.0.1:" + free, "given up after", "nothing of it was ever reached");
    }

    /** Something listens, but has no time to prove itself: a gateway that is just starting, on a busy machine. */
    @Test
    void shouldGoOnToTheDeadlineWhereGatewayBreaksConnectionsBeforeItsProof() throws Exception {
        long began = System.nanoTime();
        FsException failure;
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread breaker = new Thread(() -> breakEach(socket));
            breaker.start();
            LambdaFs fs = fixture.open(fixture.config()
                    .gateway(URI.create("http://127.0.0.1:" + socket.getLocalPort()))
                    .gatewayProof(true)
                    .firstContact(Duration.ofMillis(20))
                    .times(deadline(Duration.ofSeconds(3))));
            failure = failure(fs.stat(PATH));
        }

        // On a busy machine the deadline may come in the middle of the last attempt.
        assertThat(failure.code()).isIn(ErrorCode.UNAVAILABLE, ErrorCode.TIMED_OUT);
        assertThat(failure.getMessage())
                .containsAnyOf("no proof of the server", "within the time of an attempt")
                .doesNotContain("ever reached");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(300));
    }

    private static void breakEach(ServerSocket socket) {
        try {
            while (true) {
                socket.accept().close();
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    /** The gateway takes the first call, breaks the connection, and is gone for longer than the first contact may take. */
    @Tag("slow")
    @Test
    void shouldGoOnToTheDeadlineWhereAWriteMayHaveHappened() throws Exception {
        long began = System.nanoTime();
        CompletionStage<Boolean> write;
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            LambdaFs fs = fixture.open(fixture.config()
                    .gateway(URI.create("http://127.0.0.1:" + socket.getLocalPort()))
                    .firstContact(Duration.ofMillis(20))
                    .times(deadline(Duration.ofMillis(2_600))));
            write = fs.delete(PATH, true);
            socket.accept().close();
        }

        FsException failure = failure(write);

        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECTION_LOST);
        assertThat(failure.getMessage()).contains("outcome unknown").doesNotContain("ever reached");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(500));
    }

    @Test
    void shouldWorkOnOverTcpWhenGatewayIsLost() {
        LambdaFs fs = fixture.open(fixture.config().httpProbability(0.01));
        TestInstance instance = connect(fs);
        fixture.gateway.close();

        for (int i = 0; i < 1_000; i++) {
            get(fs.stat(PATH));
        }

        assertThat(instance.requests()).hasSize(1_000);
        assertThat(fs.metrics().snapshot().failed()).isEmpty();
    }

    @Test
    void shouldNotCutOffSlowColdStartAndTakeItsLateAnswer() {
        LambdaFs fs = fixture.open(fixture.config().times(times(Duration.ofMillis(500), Duration.ofSeconds(50))));
        CompletableFuture<HttpReply> slow = new CompletableFuture<>();
        AtomicInteger calls = new AtomicInteger();
        fixture.gateway.answers(called -> calls.getAndIncrement() == 0 ? slow : new CompletableFuture<>());

        CompletionStage<Boolean> deleted = fs.delete(PATH, true);
        await().until(() -> fs.metrics().snapshot().retries().containsKey(ErrorCode.TIMED_OUT));
        assertThat(fixture.gateway.calls()).hasSize(1);
        slow.complete(TestGateway.reply(fixture.gateway.calls().get(0), ClientFixture::serve));

        assertThat(get(deleted)).isTrue();
        assertThat(fixture.gateway.calls())
                .extracting(called -> called.request().id())
                .containsOnly(fixture.gateway.calls().get(0).request().id());
        fixture.gateway.answersWith(ClientFixture::serve);
        get(fs.delete(PATH, true));
        assertThat(fs.metrics().snapshot().retries().keySet()).isSubsetOf(ErrorCode.TIMED_OUT, ErrorCode.NOT_READY);
        assertThat(fs.inFlight()).isZero();
    }

    @Test
    void shouldLeaveHangingInstanceAndAskElsewhere() {
        LambdaFs fs = fixture.open(fixture.config().times(deadline(Duration.ofSeconds(50))));
        TestInstance instance = connect(fs);
        instance.answers(request -> new CompletableFuture<>());
        fixture.gateway.answersWith(ClientFixture::serve);

        List<CompletionStage<?>> all = List.of(fs.stat(PATH), fs.stat(PATH), fs.stat(PATH));
        all.forEach(ClientFixture::get);

        assertThat(fs.metrics().snapshot().retries()).containsEntry(ErrorCode.TIMED_OUT, 3L);
        assertThat(instance.requests()).hasSize(3);
        await().until(() -> fs.metrics().snapshot().connections() == 0);
    }

    @Test
    void shouldRefuseInstanceThatBringsUsedOrForeignSecret() {
        LambdaFs fs = fixture.open();
        connect(fs);
        TcpOffer used = fixture.gateway.calls().get(0).tcp().get(0);
        TestInstance again = fixture.instance(0, 9);
        TestInstance forger = fixture.instance(0, 10);

        assertThat(get(again.dial(used)).toString()).contains("UNAUTHENTICATED");
        assertThat(get(forger.dial(new TcpOffer(
                                used.host(), used.port(), used.transport(), "f".repeat(16) + "." + "0".repeat(32))))
                        .toString())
                .contains("UNAUTHENTICATED");

        assertThat(fs.metrics().snapshot().connections()).isEqualTo(1);
    }

    @Test
    void shouldRefuseInstanceOfOtherDeploymentThanWasCalled() {
        LambdaFs fs = fixture.open(fixture.config().deployments(2));
        TestInstance other = fixture.instance(1, 1);
        CompletableFuture<String> answer = new CompletableFuture<>();
        fixture.gateway.answers(called -> {
            TestInstance dialling = called.deployment() == 0 ? other : fixture.instance(0, 2);
            return dialling.dial(called.tcp().get(0)).thenApply(message -> {
                answer.complete(message.toString());
                return TestGateway.reply(called, ClientFixture::serve);
            });
        });

        get(fs.stat(PATH));

        assertThat(get(answer)).contains("UNAUTHENTICATED");
        assertThat(fs.metrics().snapshot().connections()).isZero();
    }

    @Test
    void shouldFailAsUnauthenticatedWhereSecretIsWrong() {
        LambdaFs fs = fixture.open(fixture.config().secret(Secret.generate()));
        TestInstance instance = new TestInstance(fixture.instanceTransport, Tokens.signed(fixture.secret), 0, 1);
        fixture.starts(instance);
        get(fs.stat(PATH));
        await().until(() -> fs.metrics().snapshot().connections() == 1);

        FsException failure = failure(fs.stat(PATH));

        assertThat(failure.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
        assertThat(failure.getMessage()).contains("secret");
        assertThat(instance.requests()).isEmpty();
    }

    @Test
    void shouldSayThatPortIsInUse() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            LambdaFs fs = fixture.open(fixture.config().set("tcp.port", String.valueOf(socket.getLocalPort())));

            FsException failure = failure(fs.stat(PATH));

            assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
            assertThat(failure.getMessage()).contains("cannot listen on", String.valueOf(socket.getLocalPort()));
            assertThat(fs.inFlight()).isZero();
        }
    }

    @Test
    void shouldRefuseOneOperationTooMany() {
        LambdaFs fs = fixture.open(fixture.config().maxInFlight(2));
        CompletableFuture<HttpReply> held = new CompletableFuture<>();
        fixture.gateway.answers(called -> held);
        List<CompletionStage<?>> two = List.of(fs.stat(PATH), fs.stat(PATH));

        FsException refused = failure(fs.stat(PATH));
        assertThat(refused.code()).isEqualTo(ErrorCode.OVERLOADED);
        fixture.gateway.answersWith(ClientFixture::serve);
        held.complete(HttpReply.json(429, "{}"));
        two.forEach(ClientFixture::get);

        get(fs.stat(PATH));
    }

    @Test
    void shouldEndWhatAnInstanceHasNotAnsweredByHttpWhenClosed() {
        LambdaFs fs = fixture.open();
        fixture.gateway.answers(called -> new CompletableFuture<>());
        List<CompletionStage<?>> waiting = List.of(fs.stat(PATH), fs.mkdirs(PATH, 0755));
        await().until(() -> !fixture.gateway.calls().isEmpty());

        fs.close();

        assertThat(waiting)
                .allMatch(operation -> operation.toCompletableFuture().isDone());
        assertThat(failure(waiting.get(1)).code()).isEqualTo(ErrorCode.CONNECTION_LOST);
    }

    @Test
    void shouldEndWhatWaitsWhenClosed() {
        LambdaFs fs = fixture.open();
        fixture.gateway.answers(called -> new CompletableFuture<>());
        List<CompletionStage<?>> waiting = List.of(fs.stat(PATH), fs.stat(PATH), fs.mkdirs(PATH, 0755));

        fs.close();

        for (CompletionStage<?> operation : waiting) {
            assertThat(failure(operation).getMessage()).contains("closed");
        }
        assertThat(fs.inFlight()).isZero();
        assertThat(failure(fs.stat(PATH)).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
}
