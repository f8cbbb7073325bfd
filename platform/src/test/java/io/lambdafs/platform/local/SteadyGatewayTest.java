package io.lambdafs.platform.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.platform.ActionExec;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.instance.ActionReply;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.platform.local.instance.InstanceLog;
import io.lambdafs.platform.local.instance.RunningInstance;
import io.lambdafs.platform.local.pool.Activation;
import io.lambdafs.platform.local.pool.Envelopes;
import io.lambdafs.platform.local.pool.InstancePool;
import io.lambdafs.platform.local.pool.Outcome;
import io.lambdafs.platform.local.pool.PoolLimits;
import io.lambdafs.platform.local.pool.RegisteredAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gateway's memory does not grow over two simulated days of bursts, silence, deaths and new revisions. */
@Tag("once")
@Tag("slow")
class SteadyGatewayTest {
    private static final int DEPLOYMENTS = 3;
    private static final byte[] NOTHING = "{}".getBytes(StandardCharsets.UTF_8);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<SimulatedProcess> running = new ArrayList<>();
    private final GatewayMetrics metrics = new GatewayMetrics();
    private final List<RegisteredAction> actions = new ArrayList<>();
    private int launched;
    private int ids;
    private int revision;
    private int called;
    private int answered;

    /** An instance that answers after two seconds, unless it has died. */
    private final class SimulatedProcess implements RunningInstance {
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();

        @Override
        public CompletionStage<ActionReply> init(byte[] json) {
            return after(Duration.ofMillis(300));
        }

        @Override
        public CompletionStage<ActionReply> run(byte[] json) {
            return after(Duration.ofSeconds(2));
        }

        private CompletionStage<ActionReply> after(Duration time) {
            CompletableFuture<ActionReply> reply = new CompletableFuture<>();
            scheduler.schedule(time.toNanos(), () -> reply.complete(new ActionReply(200, NOTHING)));
            return reply;
        }

        @Override
        public void stop(Duration grace) {
            scheduler.schedule(1, this::kill);
        }

        @Override
        public void kill() {
            running.remove(this);
            exit.complete(0);
        }

        @Override
        public CompletionStage<Integer> onExit() {
            return exit;
        }

        @Override
        public OptionalLong pid() {
            return OptionalLong.empty();
        }

        @Override
        public String endpoint() {
            return "here";
        }

        @Override
        public CompletionStage<MetricsPage> metrics() {
            return CompletableFuture.completedFuture(MetricsPage.ofCounters(Map.of(MetricsPage.BILLED, 1_000L)));
        }

        @Override
        public InstanceLog log() {
            return InstanceLog.NONE;
        }
    }

    private final InstanceLauncher launcher = new InstanceLauncher() {
        @Override
        public Set<String> kinds() {
            return Set.of("test");
        }

        @Override
        public CompletionStage<RunningInstance> launch(String kind, int memoryMb, String instanceId) {
            if (++launched % 10 == 0) {
                return CompletableFuture.failedFuture(new IllegalStateException("does not start"));
            }
            SimulatedProcess process = new SimulatedProcess();
            running.add(process);
            return CompletableFuture.completedFuture(process);
        }

        @Override
        public void close() {
            List.copyOf(running).forEach(SimulatedProcess::kill);
        }
    };

    private final InstancePool pool = new InstancePool(
            PoolLimits.defaults()
                    .withPrewarm(1)
                    .withMaxInstances(4)
                    .withKeepAlive(Duration.ofMinutes(5))
                    .withQueue(20, Duration.ofSeconds(30)),
            launcher,
            scheduler,
            new Envelopes("guest", () -> "http://here"),
            () -> "i" + ids++,
            metrics::ended);

    private void register(int deployment) {
        RegisteredAction action = new RegisteredAction(
                ActionSpec.of("f" + deployment, ActionExec.ofKind("test"), new ActionLimits(60_000, 128, 1, 2)),
                ++revision,
                0);
        pool.put(action);
        actions.set(deployment, action);
    }

    /** More calls than are served or may wait, an instance that dies under them, and a function that is changed. */
    private void burst(int hour) {
        for (int i = 0; i < 90; i++) {
            try {
                CompletionStage<Activation> call =
                        pool.invoke(actions.get(i % DEPLOYMENTS), "a" + called, NOTHING, null);
                called++;
                call.thenAccept(ended -> answered++);
            } catch (RuntimeException refused) {
                metrics.refused(429);
            }
        }
        scheduler.advance(Duration.ofSeconds(3));
        if (!running.isEmpty()) {
            running.get(hour % running.size()).kill();
        }
        register(hour % DEPLOYMENTS);
    }

    private int lines() {
        return (int) (metrics.page(pool.usage()) + pool.functionMetrics().text())
                .lines()
                .count();
    }

    @Test
    void shouldKeepNothingOfWhatHasPassed() {
        for (int i = 0; i < DEPLOYMENTS; i++) {
            actions.add(null);
            register(i);
        }
        metrics.watch(pool);
        pool.start();
        int timers = 0;
        int lines = 0;
        for (int hour = 0; hour < 48; hour++) {
            burst(hour);
            scheduler.advance(Duration.ofMinutes(30));
            assertThat(pool.instances()).as("instances after %d hours", hour).hasSize(1);
            scheduler.advance(Duration.ofMinutes(30));
            timers = hour == 1 ? scheduler.timers() : timers;
            lines = hour == 1 ? lines() : lines;
            if (hour > 1) {
                assertThat(scheduler.timers()).as("timers").isEqualTo(timers);
                assertThat(lines()).as("lines of metrics").isEqualTo(lines);
            }
            assertThat(running)
                    .as("processes, of which one is kept for the next call")
                    .hasSize(1);
            assertThat(pool.usage().prewarmed()).isEqualTo(1);
            assertThat(pool.usage().memoryUsedMb()).isEqualTo(128);
            assertThat(pool.usage().deployments()).hasSizeLessThanOrEqualTo(DEPLOYMENTS + 1);
            assertThat(pool.usage().total().queued()).isZero();
            assertThat(answered).as("calls that were answered").isEqualTo(called);
        }
        assertThat(metrics.outcomes()
                        .path(Outcome.SUCCESS.name().toLowerCase(Locale.ROOT))
                        .asInt())
                .isGreaterThan(1_000);
        assertThat(pool.events().after(0).size()).isLessThanOrEqualTo(500);
        pool.close();
    }
}
