package io.lambdafs.client;

import static io.lambdafs.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfig.AntiThrashingUse;
import io.lambdafs.client.config.ClientConfig.StragglerUse;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.client.transport.MovingAverage;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.message.OperationRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the client's handling of stragglers and of thrashing platforms. */
@Tag("once")
class TailTest {
    private static final FsPath PATH = FsPath.of("/d/f");
    private static final StragglerUse SOON = new StragglerUse(true, 10, Duration.ofMillis(20));

    private final ClientFixture fixture = new ClientFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Connects an instance, and lets the client learn how long its requests take. */
    private TestInstance connect(LambdaFs fs) {
        TestInstance instance = fixture.instance(0, 1).answers(ClientFixture.serving());
        fixture.starts(instance);
        get(fs.stat(PATH));
        await().until(() -> fs.metrics().snapshot().connections() == 1);
        learn(fs);
        return instance;
    }

    private static void learn(LambdaFs fs) {
        for (int i = 0; i < MovingAverage.WINDOW; i++) {
            get(fs.stat(PATH));
            get(fs.delete(PATH, true));
        }
    }

    /** Connects one more: the first refuses a request as one too many, and so the platform is asked. */
    private TestInstance connectOneMore(LambdaFs fs, TestInstance first) {
        TestInstance second = fixture.instance(0, 2).answers(ClientFixture.serving());
        fixture.starts(second);
        first.answersWith(request -> new Reply.Failure(ErrorCode.OVERLOADED, "busy"));
        get(fs.stat(PATH));
        await().until(() -> fs.metrics().snapshot().connections() == 2);
        first.answers(ClientFixture.serving());
        return second;
    }

    /** Never answers. */
    private static CompletionStage<Reply> hang(OperationRequest request) {
        return new CompletableFuture<>();
    }

    @Test
    void shouldAskAnotherInstanceUnderTheSameIdWhereOneStraggles() {
        LambdaFs fs = fixture.open(fixture.config().stragglers(SOON));
        TestInstance first = connect(fs);
        TestInstance second = connectOneMore(fs, first);
        first.answers(TailTest::hang);
        int before = first.requests().size();

        // The less busy instance is taken, and the one that hangs looks busier with every request: it takes many at
        // once to meet it.
        for (int i = 0; first.requests().size() < before + 4; i++) {
            assertThat(i).isLessThan(1_000);
            List<CompletionStage<?>> burst = new ArrayList<>();
            for (int j = 0; j < 8; j++) {
                burst.add(fs.stat(PATH));
                burst.add(fs.delete(PATH, true));
            }
            burst.forEach(ClientFixture::get);
        }

        ClientMetrics.Snapshot counts = fs.metrics().snapshot();
        assertThat(counts.stragglers()).isGreaterThanOrEqualTo(4);
        assertThat(counts.failed()).isEmpty();
        assertThat(counts.retries()).as("given up is not failed").isEmpty();
        for (OperationRequest hung : first.requests().subList(before, before + 4)) {
            assertThat(second.requests())
                    .filteredOn(request -> request.id().equals(hung.id()))
                    .singleElement()
                    .satisfies(again -> assertThat(again.attempt()).isEqualTo(hung.attempt() + 1));
        }
    }

    @Test
    void shouldTakeTheFirstAnswerWhicheverInstanceGivesIt() {
        LambdaFs fs = fixture.open(fixture.config().stragglers(SOON));
        TestInstance first = connect(fs);
        TestInstance second = connectOneMore(fs, first);
        CompletableFuture<Reply> held = new CompletableFuture<>();
        first.answers(request -> held);
        second.answers(request -> held);
        List<OperationRequest> before = new ArrayList<>(first.requests());
        before.addAll(second.requests());

        CompletionStage<Boolean> deleted = fs.delete(PATH, true);
        await().until(() -> first.requests().size() + second.requests().size() >= before.size() + 2);
        first.answers(TailTest::hang);
        second.answers(TailTest::hang);
        held.complete(Reply.Done.YES);

        assertThat(get(deleted)).isTrue();
        assertThat(fs.inFlight()).isZero();
    }

    @Test
    void shouldGoByHttpWhereThereIsNoOtherInstanceButNotOftenerThanIsAllowed() {
        ClientConfig.HttpUse seldom = new ClientConfig.HttpUse(0, 1, 64);
        LambdaFs fs = fixture.open(fixture.config().stragglers(SOON).http(seldom));
        TestInstance instance = connect(fs);
        fixture.gateway.answersWith(ClientFixture::serve);
        CompletableFuture<Reply> held = new CompletableFuture<>();
        instance.answers(request -> held);
        int calls = fixture.gateway.calls().size();

        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(fs.stat(PATH).toCompletableFuture());
        }
        await().until(() -> all.stream().anyMatch(CompletableFuture::isDone));
        held.complete(
                ClientFixture.serve(instance.requests().get(instance.requests().size() - 1)));
        all.forEach(ClientFixture::get);

        assertThat(fixture.gateway.calls().size() - calls).isPositive();
        assertThat(fs.metrics().snapshot().stragglers()).isBetween(1L, 9L);
    }

    @Test
    void shouldStillKnowThatTheOutcomeOfAStragglingWriteIsOpen() {
        LambdaFs fs = fixture.open(fixture.config()
                .stragglers(SOON)
                .times(FaultsTest.times(Duration.ofMillis(500), Duration.ofSeconds(2))));
        TestInstance first = connect(fs);
        TestInstance second = connectOneMore(fs, first);
        TestInstance.Behaviour refusesRepetitions = request -> request.attempt() == 1
                ? new CompletableFuture<>()
                : CompletableFuture.completedFuture(new Reply.Failure(ErrorCode.NOT_READY, "later"));
        first.answers(refusesRepetitions);
        second.answers(refusesRepetitions);

        assertThat(ClientFixture.failure(fs.delete(PATH, true)))
                .hasMessageContaining("outcome unknown")
                .hasMessageContaining("attempts");
        assertThat(fs.metrics().snapshot().retries()).containsKey(ErrorCode.NOT_READY);
    }

    @Test
    void shouldNotLeaveAWriteBehindThatStragglesWhenTheClientCloses() {
        LambdaFs fs = fixture.open(fixture.config().stragglers(SOON));
        TestInstance first = connect(fs);
        TestInstance second = connectOneMore(fs, first);
        first.answers(TailTest::hang);
        second.answers(TailTest::hang);
        CompletionStage<Boolean> deleted = fs.delete(PATH, true);
        await().until(() -> fs.metrics().snapshot().stragglers() > 0);

        fs.close();

        ClientFixture.failure(deleted);
        assertThat(fs.inFlight()).isZero();
    }

    @Test
    void shouldTakeTheConnectionAfterAllWhereTheCallInItsPlaceMeetsAColdStart() {
        LambdaFs fs =
                fixture.open(fixture.config().stragglers(SOON).http(new ClientConfig.HttpUse(0.01, 1_000_000, 64)));
        TestInstance instance = connect(fs);
        fixture.gateway.answers(called -> new CompletableFuture<>());
        long replaced = fs.metrics().snapshot().replaced();

        while (fs.metrics().snapshot().replaced() == replaced) {
            get(fs.delete(PATH, true));
        }

        assertThat(fs.metrics().snapshot().stragglers()).isPositive();
        assertThat(instance.requests())
                .last()
                .satisfies(again -> assertThat(again.attempt()).isGreaterThan(1));
    }

    @Test
    void shouldNotLetRequestsWaitForAnInstanceWhenThePlatformIsFoundToThrash() {
        AntiThrashingUse use = new AntiThrashingUse(true, 2.5, Duration.ofMillis(500), Duration.ofMinutes(1));
        LambdaFs fs = fixture.open(fixture.config().deployments(2).antiThrashing(use));
        TestInstance zero = fixture.instance(0, 1).answers(ClientFixture.serving());
        fixture.starts(zero);
        get(fs.stat(ownedBy(0)));
        await().until(() -> fs.metrics().snapshot().connections() == 1);
        for (int i = 0; i < MovingAverage.WINDOW; i++) {
            get(fs.stat(ownedBy(0)));
        }
        CompletableFuture<HttpReply> never = new CompletableFuture<>();
        fixture.gateway.answers(called -> never);
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiting.add(fs.stat(ownedBy(1)).toCompletableFuture());
        }
        CompletableFuture<Reply> slow = new CompletableFuture<>();
        zero.answers(request -> request.operation().path().equals(ownedBy(0))
                ? slow
                : CompletableFuture.completedFuture(ClientFixture.serve(request)));
        CompletionStage<?> first = fs.stat(ownedBy(0));
        await().until(() -> zero.requests()
                .get(zero.requests().size() - 1)
                .operation()
                .path()
                .equals(ownedBy(0)));
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        fixture.scheduler.schedule(
                TimeUnit.SECONDS.toNanos(1),
                () -> slow.complete(ClientFixture.serve(zero.requests().get(0))));
        get(first);

        // All but the one whose call is under way.
        await().until(() -> waiting.stream().filter(CompletableFuture::isDone).count() == 9);
        assertThat(fs.metrics().snapshot().strays()).isEqualTo(9);
    }

    /** Has an instance answer at uneven speed until the client takes that for thrashing. */
    private void thrash(LambdaFs fs, TestInstance instance, FsPath path) {
        instance.answers(request -> {
            CompletableFuture<Reply> slow = new CompletableFuture<>();
            fixture.scheduler.schedule(
                    TimeUnit.MILLISECONDS.toNanos(fs.metrics().snapshot().tcp() % 20),
                    () -> slow.complete(ClientFixture.serve(request)));
            return slow;
        });
        while (fs.metrics().snapshot().thrashings() == 0) {
            get(fs.stat(path));
        }
        instance.answers(ClientFixture.serving());
    }

    private static FsPath ownedBy(int deployment) {
        Placement placement = new Placement(2);
        for (int i = 0; ; i++) {
            FsPath path = FsPath.of("/d" + i + "/f");
            if (placement.owner(path) == deployment) {
                return path;
            }
        }
    }

    @Test
    void shouldAskConnectedInstancesOfOtherDeploymentsWhileThePlatformThrashes() {
        AntiThrashingUse use = new AntiThrashingUse(true, 1, Duration.ofMillis(1), Duration.ofMinutes(1));
        LambdaFs fs = fixture.open(
                fixture.config().deployments(2).antiThrashing(use).http(new ClientConfig.HttpUse(0.01, 1_000_000, 64)));
        TestInstance zero = fixture.instance(0, 1).answers(ClientFixture.serving());
        fixture.starts(zero);
        get(fs.stat(ownedBy(0)));
        await().until(() -> fs.metrics().snapshot().connections() == 1);
        thrash(fs, zero, ownedBy(0));
        int calls = fixture.gateway.calls().size();

        for (int i = 0; i < 500; i++) {
            get(fs.stat(ownedBy(i % 2)));
            get(fs.delete(ownedBy(i % 2), true));
        }

        assertThat(fixture.gateway.calls()).hasSize(calls);
        assertThat(fs.metrics().snapshot().strays()).isEqualTo(500);
        assertThat(fs.metrics().snapshot().connections()).isEqualTo(1);
    }

    @Test
    void shouldRepeatWhatIsOneTooManyOverTcpWhileThePlatformThrashes() {
        AntiThrashingUse use = new AntiThrashingUse(true, 1, Duration.ofMillis(1), Duration.ofMinutes(1));
        LambdaFs fs = fixture.open(fixture.config().antiThrashing(use));
        TestInstance instance = connect(fs);
        thrash(fs, instance, PATH);
        int calls = fixture.gateway.calls().size();
        instance.answersWith(request ->
                request.attempt() < 6 ? new Reply.Failure(ErrorCode.OVERLOADED, "busy") : ClientFixture.serve(request));

        get(fs.stat(PATH));

        assertThat(fixture.gateway.calls()).hasSize(calls);
        assertThat(fs.metrics().snapshot().retries()).containsEntry(ErrorCode.OVERLOADED, 5L);
    }

    @Test
    void shouldCallOneFunctionAtATimeWhereNothingIsConnectedWhileThePlatformThrashes() {
        AntiThrashingUse use = new AntiThrashingUse(true, 1, Duration.ofMillis(1), Duration.ofMinutes(1));
        LambdaFs fs = fixture.open(fixture.config().deployments(2).antiThrashing(use));
        TestInstance zero = fixture.instance(0, 1).answers(ClientFixture.serving());
        fixture.starts(zero);
        get(fs.stat(ownedBy(0)));
        await().until(() -> fs.metrics().snapshot().connections() == 1);
        thrash(fs, zero, ownedBy(0));
        CompletableFuture<HttpReply> held = new CompletableFuture<>();
        TestInstance one = fixture.instance(1, 2).answers(ClientFixture.serving());
        int calls = fixture.gateway.calls().size();
        fixture.gateway.answers(called -> held);
        zero.cut();
        await().until(() -> fs.metrics().snapshot().connections() == 0);

        List<CompletionStage<?>> waiting = new ArrayList<>();
        waiting.add(fs.stat(ownedBy(1)));
        await().until(() -> fixture.gateway.calls().size() == calls + 1);
        for (int i = 0; i < 20; i++) {
            waiting.add(fs.stat(ownedBy(i % 2)));
        }
        TestGateway.Called call = fixture.gateway.calls().get(calls);
        get(one.dial(call.tcp().get(0)));
        held.complete(TestGateway.reply(call, ClientFixture::serve));
        waiting.forEach(ClientFixture::get);

        assertThat(fixture.gateway.calls()).hasSize(calls + 1);
        assertThat(one.requests()).hasSize(20);
    }
}
