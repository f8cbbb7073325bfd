package io.lambdafs.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.config.ClientConfig.StragglerUse;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.message.OperationReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StragglersTest {
    private static final FsPath PATH = FsPath.of("/d/f");
    private static final Operation<?> READ = new ReadOperation.Stat(PATH);
    private static final Operation<?> WRITE = new NamespaceOperation.Delete(PATH, true);
    private static final Duration TICK = Duration.ofNanos(Stragglers.TICK_NANOS);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ClientMetrics metrics = new ClientMetrics(() -> 0, () -> 0, () -> 0);
    private final Stragglers stragglers = new Stragglers(StragglerUse.DEFAULT, scheduler, metrics);
    private final Recorded recorded = new Recorded();
    private boolean elsewhere = true;

    /** Which attempts were given up. */
    private static final class Recorded implements Attempt.Outcome {
        private final List<Attempt> givenUp = new ArrayList<>();

        @Override
        public void answered(Attempt attempt, OperationReply reply) {}

        @Override
        public void answeredLate(Attempt attempt, OperationReply reply) {}

        @Override
        public void failed(Attempt attempt, FsException why) {}

        @Override
        public void straggles(Attempt attempt) {
            givenUp.add(attempt);
        }

        @Override
        public void lingers() {}
    }

    private Attempt attempt(Operation<?> operation, int deployment, int number) {
        Attempt.Envelope envelope =
                new Attempt.Envelope(deployment, 0, new RequestId(1, 2, 3, 4), Long.MAX_VALUE, operation);
        return new Attempt(envelope, number, new Attempt.Route(Long.MAX_VALUE, 0, true), recorded);
    }

    private Stragglers.Watch send(Operation<?> operation, int deployment, int number) {
        return stragglers.watch(attempt(operation, deployment, number), any -> elsewhere);
    }

    private void answered(Stragglers.Watch watch) {
        assertThat(watch.end()).isTrue();
        watch.served();
    }

    private void served(int times, Operation<?> operation, Duration latency) {
        for (int i = 0; i < times; i++) {
            Stragglers.Watch watch = send(operation, 0, 1);
            scheduler.advance(latency);
            answered(watch);
        }
    }

    /** Waits for the answer of one that does not come, and says after how many milliseconds it was given up. */
    private long givenUpAfterMillis(Stragglers.Watch watch) {
        int before = recorded.givenUp.size();
        for (int millis = 0; millis < 100_000; millis++) {
            if (recorded.givenUp.size() > before) {
                assertThat(watch.hasEnded()).isTrue();
                return millis;
            }
            scheduler.advance(Duration.ofMillis(1));
        }
        throw new AssertionError("never given up");
    }

    @Test
    void shouldGiveUpWhatTakesTenTimesTheAverageOrFiftyMillis() {
        served(64, READ, Duration.ofMillis(1));
        assertThat(givenUpAfterMillis(send(READ, 0, 1))).isBetween(50L, 60L);

        served(1_000, READ, Duration.ofMillis(20));
        assertThat(givenUpAfterMillis(send(READ, 0, 1))).isBetween(195L, 215L);
        assertThat(metrics.snapshot().stragglers()).isEqualTo(2);
    }

    @Test
    void shouldKnowReadsFromWritesAndDeploymentsFromEachOther() {
        served(64, READ, Duration.ofMillis(1));
        Stragglers.Watch write = send(WRITE, 0, 1);
        Stragglers.Watch other = send(READ, 1, 1);

        assertThat(givenUpAfterMillis(send(READ, 0, 1))).isBetween(50L, 60L);
        scheduler.advance(Duration.ofSeconds(100));

        assertThat(write.hasEnded()).isFalse();
        assertThat(other.hasEnded()).isFalse();
        served(64, WRITE, Duration.ofMillis(30));
        assertThat(givenUpAfterMillis(send(WRITE, 0, 1))).isBetween(300L, 400L);
        assertThat(write.hasEnded()).isTrue();
        assertThat(other.hasEnded()).isFalse();
    }

    @Test
    void shouldDoubleTheTimeWithEveryAttemptOfARequest() {
        served(64, READ, Duration.ofMillis(1));

        assertThat(givenUpAfterMillis(send(READ, 0, 2))).isBetween(100L, 110L);
        assertThat(givenUpAfterMillis(send(READ, 0, 3))).isBetween(200L, 230L);
    }

    @Test
    void shouldWaitForTheAnswerUntilThereIsSomewhereElseToGo() {
        served(64, READ, Duration.ofMillis(1));
        elsewhere = false;
        Stragglers.Watch watch = send(READ, 0, 1);
        scheduler.advance(Duration.ofSeconds(1));
        assertThat(watch.hasEnded()).isFalse();

        elsewhere = true;
        scheduler.advance(TICK);

        assertThat(recorded.givenUp).hasSize(1);
        assertThat(watch.end()).as("its own answer is late now").isFalse();
    }

    @Test
    void shouldNotLetAnInstanceThatHangsLiftTheAverageOutOfReach() {
        served(64, READ, Duration.ofMillis(1));
        for (int i = 0; i < 5; i++) {
            send(READ, 0, 1);
        }
        scheduler.advance(Duration.ofSeconds(3));
        assertThat(recorded.givenUp).hasSize(5);

        assertThat(givenUpAfterMillis(send(READ, 0, 1))).isBetween(50L, 70L);
    }

    @Test
    void shouldTakeWhatHasBecomeSlowAsAWholeForUsual() {
        served(64, READ, Duration.ofMillis(1));
        for (int i = 0; i < MovingAverage.WINDOW; i++) {
            Stragglers.Watch watch = send(READ, 0, 1);
            scheduler.advance(Duration.ofMillis(200));
            if (watch.end()) {
                watch.served();
            }
        }
        int before = recorded.givenUp.size();

        served(100, READ, Duration.ofMillis(200));

        assertThat(before).isLessThan(MovingAverage.WINDOW / 2);
        assertThat(recorded.givenUp).hasSize(before);
    }

    @Test
    void shouldNotTakeItsOwnPauseForTheirs() {
        served(64, READ, Duration.ofMillis(1));
        scheduler.advance(TICK);
        List<Stragglers.Watch> sent = List.of(send(READ, 0, 1), send(READ, 0, 1));

        // The answers lie in the sockets of this process, which stands still for a second, and then does everything at
        // once.
        scheduler.stall(Duration.ofSeconds(1));
        assertThat(recorded.givenUp).isEmpty();
        answered(sent.get(0));
        scheduler.advance(TICK);

        assertThat(recorded.givenUp).hasSize(1);
    }

    @Test
    void shouldKeepNothingOfWhatHasBeenAnswered() {
        served(1_000, READ, Duration.ofMillis(1));
        scheduler.advance(TICK);
        assertThat(scheduler.timers()).isZero();
    }

    @Test
    void shouldDoNothingWhereItIsSwitchedOff() {
        Stragglers off = new Stragglers(new StragglerUse(false, 10, Duration.ofMillis(50)), scheduler, metrics);
        for (int i = 0; i < 64; i++) {
            Stragglers.Watch watch = off.watch(attempt(READ, 0, 1), any -> true);
            scheduler.advance(Duration.ofMillis(1));
            answered(watch);
        }
        Stragglers.Watch watch = off.watch(attempt(READ, 0, 1), any -> true);
        scheduler.advance(Duration.ofSeconds(10));

        assertThat(watch.hasEnded()).isFalse();
        assertThat(scheduler.timers()).isZero();
    }
}
