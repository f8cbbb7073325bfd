package io.lambdafs.client;

import static io.lambdafs.client.ClientFixture.failure;
import static io.lambdafs.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.OperationKind;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.message.OperationRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * <pre>
 *   LambdaFs --HTTP--> TestGateway --starts--> TestInstance
 *      ^-------------------TCP, dialled back-------+
 * </pre>
 */
class LambdaFsTest {
    private static final FsPath PATH = FsPath.of("/d/f");

    private final ClientFixture fixture = new ClientFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private TestInstance connect(LambdaFs fs, long epoch) {
        TestInstance instance = fixture.instance(0, epoch).answers(ClientFixture.serving());
        fixture.starts(instance);
        int before = fs.metrics().snapshot().connections();
        get(fs.stat(PATH));
        await().until(() -> fs.metrics().snapshot().connections() > before);
        return instance;
    }

    @Test
    void shouldCallByHttpFirstAndGoOverTcpOnceInstanceHasDialledBack() {
        LambdaFs fs = fixture.open();
        TestInstance instance = connect(fs, 7);

        for (int i = 0; i < 20; i++) {
            get(fs.stat(PATH));
        }

        assertThat(fixture.gateway.calls()).hasSize(1);
        assertThat(instance.requests()).hasSize(20);
        assertThat(instance.principals()).allSatisfy(principal -> {
            assertThat(principal.user()).isEqualTo("alice");
            assertThat(principal.groups()).containsExactly("staff");
        });
        ClientMetrics.Snapshot counts = fs.metrics().snapshot();
        assertThat(counts.http()).isEqualTo(1);
        assertThat(counts.tcp()).isEqualTo(20);
        assertThat(counts.cacheHits()).isEqualTo(20);
        assertThat(counts.succeeded()).containsEntry(OperationKind.STAT, 21L);
    }

    @Test
    void shouldPutKeyTokenAndNamesIntoHttpCall() {
        LambdaFs fs = fixture.open();
        connect(fs, 1);

        TestGateway.Called called = fixture.gateway.calls().get(0);

        assertThat(called.path()).isEqualTo("/api/v1/namespaces/_/actions/namenode0");
        assertThat(called.authorization()).isEqualTo("Basic dXNlcjprZXk=");
        assertThat(fixture.tokens.verify(called.token()).principal().user()).isEqualTo("alice");
        assertThat(called.request().principal()).isZero();
    }

    @Test
    void shouldAuthenticateOnceMoreWhereAnInstanceDoesNotKnowItAnyMore() {
        LambdaFs fs = fixture.open();
        TestInstance instance = connect(fs, 7);
        get(fs.stat(PATH));

        instance.refusesNext(ErrorCode.UNAUTHENTICATED);
        get(fs.stat(PATH));

        assertThat(instance.requests()).hasSize(3);
        assertThat(fs.metrics().snapshot().retries()).isEmpty();
        assertThat(fixture.gateway.calls()).hasSize(1);
        instance.refusesNext(ErrorCode.UNAUTHENTICATED);
        instance.refusesNext(ErrorCode.UNAUTHENTICATED);
        assertThat(failure(fs.stat(PATH)).code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
        assertThat(instance.requests()).hasSize(5);
    }

    @Test
    void shouldSendByHttpWhatInstanceRefusesAsOneTooMany() {
        LambdaFs fs = fixture.open();
        TestInstance instance = connect(fs, 1);
        instance.answersWith(request -> new Reply.Failure(ErrorCode.OVERLOADED, "full"));
        fixture.gateway.answersWith(ClientFixture::serve);

        get(fs.stat(PATH));

        assertThat(instance.requests()).hasSize(1);
        assertThat(fixture.gateway.calls()).hasSize(2);
        assertThat(fs.metrics().snapshot().overloaded()).isEqualTo(1);
        assertThat(fs.metrics().snapshot().retries()).isEmpty();
    }

    @Test
    void shouldRepeatLostRequestOverOtherConnectionAndThenByHttp() {
        LambdaFs fs = fixture.open();
        TestInstance first = connect(fs, 1);
        TestInstance second = fixture.instance(0, 2).answers(ClientFixture.serving());
        get(second.dial(get(secondOffer(fs))));
        await().until(() -> fs.metrics().snapshot().connections() == 2);
        AtomicInteger cuts = new AtomicInteger();
        for (TestInstance instance : List.of(first, second)) {
            instance.answers(request -> {
                if (cuts.getAndIncrement() == 0) {
                    instance.cut();
                    return new CompletableFuture<>();
                }
                return ClientFixture.serving().apply(request);
            });
        }

        get(fs.mkdirs(PATH, 0755));

        assertThat(fs.metrics().snapshot().retries()).containsEntry(ErrorCode.CONNECTION_LOST, 1L);
        assertThat(fs.metrics().snapshot().connections()).isEqualTo(1);
        int byHttp = fixture.gateway.calls().size();

        first.cut();
        second.cut();
        await().until(() -> fs.metrics().snapshot().connections() == 0);
        fixture.gateway.answersWith(ClientFixture::serve);
        get(fs.mkdirs(PATH, 0755));

        assertThat(fixture.gateway.calls()).hasSize(byHttp + 1);
    }

    /** An offer for one more instance, taken from a call that the client makes because an instance is full. */
    private CompletableFuture<TcpOffer> secondOffer(LambdaFs fs) {
        CompletableFuture<TcpOffer> offer = new CompletableFuture<>();
        LambdaFs other = fixture.open(fixture.config().httpProbability(0.01));
        fixture.gateway.answers(called -> {
            offer.complete(called.tcp().get(0));
            return CompletableFuture.completedFuture(TestGateway.reply(called, ClientFixture::serve));
        });
        for (int i = 0; i < 5_000 && !offer.isDone(); i++) {
            get(other.stat(PATH));
        }
        assertThat(other.metrics().snapshot().connections())
                .isEqualTo(fs.metrics().snapshot().connections());
        return offer;
    }

    @Test
    void shouldRepeatWriteOfUnknownOutcomeUnderSameIdWithRisingAttempt() {
        LambdaFs fs = fixture.open();
        AtomicInteger calls = new AtomicInteger();
        fixture.gateway.answers(called -> CompletableFuture.completedFuture(
                calls.getAndIncrement() < 2
                        ? HttpReply.json(502, "{\"error\":\"the instance died\"}")
                        : TestGateway.reply(called, ClientFixture::serve)));

        get(fs.delete(PATH, false));
        get(fs.delete(PATH, false));

        List<OperationRequest> requests = fixture.gateway.calls().stream()
                .map(TestGateway.Called::request)
                .toList();
        assertThat(requests).extracting(OperationRequest::attempt).containsExactly(1, 2, 3, 1);
        RequestId id = requests.get(0).id();
        assertThat(requests.subList(0, 3)).extracting(OperationRequest::id).containsOnly(id);
        assertThat(requests.subList(0, 3))
                .extracting(OperationRequest::deadlineMillis)
                .containsOnly(requests.get(0).deadlineMillis());
        assertThat(requests.get(3).id())
                .isEqualTo(new RequestId(id.clientHigh(), id.clientLow(), id.slot(), id.sequence() + 1));
        assertThat(fs.metrics().snapshot().retries()).containsEntry(ErrorCode.FUNCTION_FAILED, 2L);
    }

    @Test
    void shouldFailWithServiceErrorAtOnceWhenItIsFinal() {
        LambdaFs fs = fixture.open();
        fixture.gateway.answersWith(request -> new Reply.Failure(ErrorCode.NOT_FOUND, "there is no /d/f"));

        FsException failure = failure(fs.stat(PATH));

        assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(failure.getMessage()).contains("stat /d/f", "there is no /d/f", "[request ");
        assertThat(fixture.gateway.calls()).hasSize(1);
    }
}
