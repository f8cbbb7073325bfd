package io.lambdafs.client;

import static io.lambdafs.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfig.StragglerUse;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.client.http.HttpGate;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.client.runtime.ClientRuntime;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.message.OperationReply;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers and connections shared inside a process, cold starts, and the share of HTTP. */
class SharingTest {
    private static final FsPath PATH = FsPath.of("/d/f");

    private final ClientFixture fixture = new ClientFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private TestInstance connect(LambdaFs fs, int connections) {
        TestInstance instance = fixture.instance(0, 1).answers(ClientFixture.serving());
        fixture.gateway.answers(called -> {
            CompletionStage<?> all = CompletableFuture.completedFuture(null);
            for (TcpOffer offer : called.tcp()) {
                all = all.thenCompose(done -> instance.dial(offer));
            }
            return all.thenApply(done -> TestGateway.reply(called, ClientFixture::serve));
        });
        get(fs.stat(PATH));
        await().until(() -> fs.metrics().snapshot().connections() == connections);
        return instance;
    }

    @Test
    void shouldShareOneServerAndProveEachUserOnIt() {
        LambdaFs alice = fixture.open();
        LambdaFs bob = fixture.open(fixture.config().user("bob").groups(List.of("dev")));
        TestInstance instance = connect(alice, 1);

        get(alice.stat(PATH));
        get(bob.stat(PATH));
        get(alice.stat(PATH));

        assertThat(instance.principals()).extracting(Principal::user).containsExactly("alice", "bob", "alice");
        assertThat(fixture.gateway.calls()).hasSize(1);
        assertThat(fixture.gateway.calls().get(0).tcp()).hasSize(1);
    }

    @Test
    void shouldProveTheSameUserWithOtherGroupsOnTheSameConnection() {
        LambdaFs staff = fixture.open();
        LambdaFs wheel = fixture.open(fixture.config().groups(List.of("wheel")));
        TestInstance instance = connect(staff, 1);

        get(staff.stat(PATH));
        get(wheel.stat(PATH));
        get(staff.stat(PATH));

        assertThat(instance.principals()).extracting(Principal::user).containsOnly("alice");
        assertThat(instance.principals())
                .extracting(Principal::groups)
                .containsExactly(List.of("staff"), List.of("wheel"), List.of("staff"));
    }

    @Test
    void shouldKeepConnectionsUntilLastClientCloses() {
        LambdaFs first = fixture.open();
        LambdaFs second = fixture.open();
        TestInstance instance = connect(first, 1);

        first.close();
        get(second.stat(PATH));
        assertThat(instance.requests()).hasSize(1);
        second.close();

        LambdaFs third = fixture.open();
        await().until(() -> third.metrics().snapshot().connections() == 0);
    }

    @Test
    void shouldOpenServerPerClientsAndNameAllInEveryCall() {
        ClientConfigBuilder config = fixture.config().maxClientsPerServer(1);
        LambdaFs first = fixture.open(config);
        LambdaFs second = fixture.open(config);
        LambdaFs third = fixture.open(config);
        fixture.gateway.answersWith(ClientFixture::serve);
        for (LambdaFs fs : List.of(first, second, third)) {
            get(fs.stat(PATH));
        }

        List<TcpOffer> offers = fixture.gateway.calls().get(2).tcp();

        assertThat(offers).hasSize(3);
        assertThat(offers).extracting(TcpOffer::port).doesNotHaveDuplicates();
        assertThat(offers).extracting(TcpOffer::registration).doesNotHaveDuplicates();
    }

    @Test
    void shouldUseNeighboursConnectionWhereOwnServerHasNone() {
        ClientConfigBuilder config = fixture.config().maxClientsPerServer(1);
        LambdaFs first = fixture.open(config);
        TestInstance instance = connect(first, 1);
        LambdaFs second = fixture.open(config);

        get(second.stat(PATH));

        assertThat(instance.requests()).hasSize(1);
        assertThat(fixture.gateway.calls()).hasSize(1);
    }

    @Test
    void shouldStartColdDeploymentWithOneCallAndSendTheBurstOverTcp() {
        // No attempt ends before the burst does, however busy the machine.
        LambdaFs fs = fixture.open(fixture.config()
                .times(ClientFixture.TIMES.withAttempt(Duration.ofSeconds(15)))
                .stragglers(new StragglerUse(false, 10, Duration.ofMillis(20))));
        TestInstance instance = fixture.instance(0, 1).answers(ClientFixture.serving());
        CompletableFuture<HttpReply> held = new CompletableFuture<>();
        fixture.gateway.answers(called -> instance.dial(called.tcp().get(0)).thenCompose(registered -> held));

        List<CompletionStage<?>> burst = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            burst.add(fs.stat(PATH));
        }
        await().until(() -> instance.requests().size() == 499);
        assertThat(fixture.gateway.calls()).hasSize(1);
        held.complete(TestGateway.reply(fixture.gateway.calls().get(0), ClientFixture::serve));
        burst.forEach(ClientFixture::get);

        assertThat(fs.metrics().snapshot().http()).isEqualTo(1);
        assertThat(fs.metrics().snapshot().tcp()).isEqualTo(499);
    }

    @Test
    void shouldWakeEveryDeploymentWithoutRequest() {
        LambdaFs fs = fixture.open(fixture.config().deployments(3));
        fixture.gateway.answersStatus(200, "{\"v\":1}");

        get(fs.warmUp());

        assertThat(fixture.gateway.calls())
                .allSatisfy(called -> assertThat(called.request()).isNull())
                .extracting(TestGateway.Called::deployment)
                .containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void shouldWakeAgainWhatWasRefusedForAWhile() {
        LambdaFs fs = fixture.open(fixture.config().deployments(1));
        AtomicInteger refusals = new AtomicInteger();
        fixture.gateway.answers(called -> CompletableFuture.completedFuture(
                refusals.incrementAndGet() < 4 ? HttpReply.text(429, "too many") : HttpReply.json(200, "{\"v\":1}")));

        get(fs.warmUp());

        assertThat(fixture.gateway.calls()).hasSize(4);
    }

    @Test
    void shouldFailToWakeWhereFunctionRefusesTheToken() {
        LambdaFs fs = fixture.open();
        fixture.gateway.answers(called -> CompletableFuture.completedFuture(TestGateway.reply(
                new OperationReply(0, 0, false, new Reply.Failure(ErrorCode.UNAUTHENTICATED, "not of this cluster")))));

        assertThat(ClientFixture.failure(fs.warmUp()).code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void shouldSendEverythingByHttpWhereTcpIsOff() {
        LambdaFs fs = fixture.open(fixture.config().tcpEnabled(false));
        fixture.gateway.answersWith(ClientFixture::serve);
        List<CompletionStage<?>> burst = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            burst.add(fs.stat(PATH));
        }
        burst.forEach(ClientFixture::get);

        assertThat(fixture.gateway.calls())
                .hasSize(50)
                .allSatisfy(called -> assertThat(called.tcp()).isEmpty());
    }

    @Test
    void shouldReplaceConfiguredShareOfTcpRequestsByHttp() {
        ClientRuntime runtime = runtime(new SeededScheduler(fixture.scheduler, ManualScheduler.seeded(5)));
        int requests = 20_000;
        double p = 0.01;
        ClientConfig.HttpUse use = new ClientConfig.HttpUse(p, 1_000_000, 64);
        try (LambdaFs fs = LambdaFs.open(
                fixture.config().http(use).stragglersEnabled(false).build(), runtime)) {
            TestInstance instance = connect(fs, 1);
            fixture.gateway.answersWith(ClientFixture::serve);
            for (int i = 0; i < requests / 100; i++) {
                List<CompletionStage<?>> batch = new ArrayList<>();
                for (int j = 0; j < 100; j++) {
                    batch.add(fs.stat(PATH));
                }
                batch.forEach(ClientFixture::get);
            }

            ClientMetrics.Snapshot counts = fs.metrics().snapshot();
            double sigma = Math.sqrt(requests * p * (1 - p));
            assertThat((double) counts.replaced()).isCloseTo(requests * p, within(5 * sigma));
            assertThat(instance.requests()).hasSize(requests - (int) counts.replaced());
            assertThat(fixture.gateway.calls()).hasSize(1 + (int) counts.replaced());
        }
    }

    /** A platform counts calls alone, and freezes or removes what serves by TCP when it has had none for its keep-alive. */
    @Test
    void shouldCallADeploymentThatThePlatformMayTakeForIdle() {
        SeededScheduler time = new SeededScheduler(fixture.scheduler, ManualScheduler.seeded(5));
        ClientConfig.HttpUse use = new ClientConfig.HttpUse(1e-12, 1_000_000, 64);
        try (LambdaFs fs = LambdaFs.open(
                fixture.config().http(use).stragglersEnabled(false).build(), runtime(time))) {
            connect(fs, 1);
            fixture.gateway.answersWith(ClientFixture::serve);
            get(fs.stat(PATH));
            assertThat(fs.metrics().snapshot().replaced()).isZero();

            time.ahead.set(HttpGate.IDLE_NANOS);
            get(fs.stat(PATH));
            get(fs.stat(PATH));

            assertThat(fs.metrics().snapshot().replaced()).isEqualTo(1);
            assertThat(fixture.gateway.calls()).hasSize(2);
        }
    }

    private ClientRuntime runtime(Scheduler scheduler) {
        return ClientRuntime.of(
                new ClientRuntime.Context(scheduler, kind -> fixture.clientTransport, new SecureRandom()));
    }

    /** The machine's time and threads, with a seeded randomness that threads take turns at, and a clock that can be set ahead. */
    private record SeededScheduler(Scheduler machine, RandomGenerator seeded, AtomicLong ahead) implements Scheduler {
        SeededScheduler(Scheduler machine, RandomGenerator seeded) {
            this(machine, seeded, new AtomicLong());
        }

        @Override
        public long nanoTime() {
            return machine.nanoTime() + ahead.get();
        }

        @Override
        public long currentTimeMillis() {
            return machine.currentTimeMillis();
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            return machine.schedule(delayNanos, task);
        }

        @Override
        public void execute(Runnable task) {
            machine.execute(task);
        }

        @Override
        public RandomGenerator random() {
            return () -> {
                synchronized (seeded) {
                    return seeded.nextLong();
                }
            };
        }
    }
}
