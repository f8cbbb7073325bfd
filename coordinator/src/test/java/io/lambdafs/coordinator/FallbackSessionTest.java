package io.lambdafs.coordinator;

import static io.lambdafs.coordinator.testkit.TestInstance.isAlive;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.memory.MemoryCoordinator;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.Environment;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.coordinator.testkit.TestInstance;
import io.lambdafs.model.time.Times;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Directly first, then by relay, in simulated time.
 *
 * <pre>
 *   0        1/4          1/2          3/4       ACK wait
 *   |--- direct, held back at most 1/4             |
 *   |                      |--- relayed, held back at most 1/4
 *                                                  |--- fence: refusal, lease, kill
 * </pre>
 */
class FallbackSessionTest extends FallbackContract {
    private static final Times TIMES = Times.DEFAULT;

    private SimulatedEnvironment simulation;

    @Override
    protected Environment createEnvironment() {
        simulation = new SimulatedEnvironment(1, Channels.FALLBACK);
        return simulation;
    }

    private Duration runs(CompletionStage<?> stage) {
        long from = simulation.clock().nanoTime();
        environment.await("ends", () -> stage.toCompletableFuture().isDone());
        return Duration.ofNanos(simulation.clock().nanoTime() - from);
    }

    @Test
    void shouldRelayWithinTheAckWait() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        long first = a.session().epoch();
        long second = b.session().epoch();
        simulation.direct("a").isolate();

        var one = a.invalidate(b.member()).toCompletableFuture();
        var two = b.invalidate(a.member()).toCompletableFuture();
        Duration time = runs(CompletableFuture.allOf(one, two));

        assertThat(time).isBetween(TIMES.ackWait().dividedBy(2), TIMES.ackWait());
        assertThat(b.listener().invalidations()).hasSize(1);
        assertThat(a.listener().invalidations()).hasSize(1);
        assertThat(journal.of("refuse", first)).isEmpty();
        assertThat(journal.of("refuse", second)).isEmpty();
        assertThat(a.session().isLive(first)).isTrue();
        assertThat(b.session().isLive(second)).isTrue();
    }

    @Test
    void shouldRelayAtOnceToWhomTheDirectWayIsKnownToBeCut() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        simulation.direct("b").isolate();
        environment.await(a.invalidate(b.member()));

        assertThat(runs(a.invalidate(b.member()))).isLessThan(Duration.ofMillis(50));

        simulation.direct("b").heal();
        environment.await(a.invalidate(b.member()));
        simulation.direct("b").isolate();
        assertThat(runs(a.invalidate(b.member())))
                .as("directly again meanwhile")
                .isGreaterThanOrEqualTo(TIMES.ackWait().dividedBy(2));
    }

    @Test
    void shouldLetANewcomerInThatNobodyReachesDirectly() {
        TestInstance a = joined("a");
        simulation.direct("a").isolate();

        TestInstance b = joined("b");

        assertThat(a.session().view().members()).containsKey(b.session().epoch());
        assertThat(journal.of("refuse", a.session().epoch())).isEmpty();
    }

    @Test
    void shouldNotTakeASlowDrainForADeadInstanceByEitherChannel() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        var drained = b.listener().drainLater();
        simulation.direct("b").isolate();

        var round = a.invalidate(b.member()).toCompletableFuture();
        simulation.pass(Duration.ofSeconds(2));
        assertThat(round).isNotDone();
        drained.complete(null);
        environment.await(round);

        assertThat(b.listener().story()).as("never fenced").hasSize(1);
    }

    @Test
    void shouldFenceWhoAnswersByNeitherChannelWithinAckWaitAndLease() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member frozen = b.member();
        b.process().freeze();

        Duration time = runs(a.invalidate(frozen));

        assertThat(isAlive(environment, frozen.epoch())).isFalse();
        assertThat(time).isLessThanOrEqualTo(TIMES.ackWait().plus(TIMES.lease()));
    }

    @Test
    void shouldNotFenceWhenItCannotMakeTheSecondTry() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        long target = b.session().epoch();
        simulation.direct("b").isolate();
        ((MemoryCoordinator) a.connection()).partition();

        var round = a.invalidate(b.member()).toCompletableFuture();
        simulation.pass(TIMES.ackWait());
        ((MemoryCoordinator) a.connection()).heal();
        simulation.pass(Duration.ofSeconds(5));

        assertThat(journal.of("refuse", target)).isEmpty();
        assertThat(b.session().isLive(target)).isTrue();
        assertThat(round).isDone();
    }

    @Test
    void shouldLeaveNoLettersBehind() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        TestInstance c = joined("c");
        simulation.direct("a").isolate();
        environment.await(a.invalidate(b.member(), c.member()));
        c.process().freeze();
        environment.await(a.invalidate(b.member(), c.member()));

        environment.await("all letters are gone", () -> simulation.ensemble().letters() == 0);
    }
}
