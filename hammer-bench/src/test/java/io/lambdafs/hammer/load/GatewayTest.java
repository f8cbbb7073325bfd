package io.lambdafs.hammer.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.hammer.result.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the reading of a gateway's answers. */
final class GatewayTest {
    private final FakeGateway gateway = new FakeGateway();
    private final List<Process> processes = List.of(sleeper(), sleeper(), sleeper(), sleeper());

    private static Process sleeper() {
        try {
            return new ProcessBuilder("sleep", "600").start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void stop() {
        gateway.close();
        processes.forEach(Process::destroyForcibly);
    }

    private String instance(String deployment, int process) {
        return "{\"id\":\"i" + process + "\",\"deployment\":\"" + deployment + "\",\"state\":\"ready\",\"pid\":"
                + processes.get(process).pid() + ",\"cacheHits\":" + process + "}";
    }

    @Test
    void shouldTellInstancesByDeploymentAndCost() {
        gateway.usage("{\"billedMillis\":1234,\"cost\":{\"payPerUseUsd\":0.5,\"provisionedUsd\":0.75},"
                        + "\"listings\":{\"pages\":40,\"read\":7},"
                        + "\"deployments\":{\"namenode0\":{\"instances\":2},\"namenode2\":{\"instances\":1}}}")
                .instances("[" + instance("namenode0", 0) + "," + instance("namenode0", 1) + "]");
        ClientConfig config = ClientConfig.builder()
                .insecure(true)
                .gateway(gateway.address())
                .deployments(3)
                .build();
        try (LambdaFs client = LambdaFs.open(config)) {
            Turnover turnover = new Turnover();
            GatewayProbe probe = new GatewayProbe(gateway.client(), client, 3, turnover);
            Sample sample = probe.sample();
            assertThat(sample.instancesByDeployment()).containsExactly(2, 0, 1);
            assertThat(sample.billedMillis()).isEqualTo(1_234);
            assertThat(sample.costUsd()).isEqualTo(0.5);
            assertThat(sample.provisionedUsd()).isEqualTo(0.75);
            assertThat(sample.pages()).isEqualTo(40);
            assertThat(sample.pagesRead()).isEqualTo(7);
            assertThat(sample.byHttp()).isZero();
            assertThat(sample.cacheHits()).isZero();
            assertThat(sample.cacheMisses()).isZero();
            assertThat(sample.millis())
                    .isCloseTo(System.currentTimeMillis(), org.assertj.core.api.Assertions.within(60_000L));
            assertThat(probe.newcomers().line()).contains("1 of 1 instances that joined others");
            gateway.instances("[" + instance("namenode0", 0) + "]");
            probe.sample();
            assertThat(turnover.stops(-1, 60)).isOne();
        }
    }

    @Test
    void shouldKillOneInstanceAfterTheOtherRoundRobinOverDeployments() throws Exception {
        gateway.instances(
                "[" + instance("b", 0) + "," + instance("b", 1) + "," + instance("a", 2) + "," + instance("", 3) + "]");
        InstanceKiller killer = new InstanceKiller(gateway.client(), Duration.ofMillis(100), Duration.ofMinutes(10));
        try (killer) {
            assertThat(killer.killed()).isZero();
            awaitKilled(killer, 1);
            await("the first of a").until(() -> !processes.get(2).isAlive());
            awaitKilled(killer, 2);
            await("the first of b").until(() -> !processes.get(0).isAlive());
            // Its deployment's turn is over: a has none that lives, so b's other one is next.
            awaitKilled(killer, 3);
            await("the second of b").until(() -> !processes.get(1).isAlive());
        }
        assertThat(processes.get(3).isAlive()).as("one that is only prewarmed").isTrue();
    }

    private static void awaitKilled(InstanceKiller killer, int count) {
        await().until(() -> killer.killed() >= count);
    }

    @Test
    void shouldKillNobodyWhenTheLoadIsOver() throws Exception {
        gateway.instances("[" + instance("a", 0) + "," + instance("a", 1) + "]");
        try (InstanceKiller killer =
                new InstanceKiller(gateway.client(), Duration.ofMillis(300), Duration.ofMillis(1))) {
            TimeUnit.MILLISECONDS.sleep(500);
            assertThat(killer.killed()).isZero();
        }
        assertThat(processes).allMatch(Process::isAlive);
    }
}
