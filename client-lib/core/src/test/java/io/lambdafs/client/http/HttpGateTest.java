package io.lambdafs.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.http.HttpGate.Pass;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HttpGateTest {
    private static final Duration WAIT = Duration.ofSeconds(7);
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final ManualScheduler scheduler = new ManualScheduler();
    private final HttpGate gate = new HttpGate("namenode0", new HttpGate.Limits(1_000_000, 8, 10, true), scheduler);

    private CompletableFuture<Pass> enter() {
        return gate.enter(WAIT.toNanos()).toCompletableFuture();
    }

    private List<CompletableFuture<Pass>> enter(int count) {
        List<CompletableFuture<Pass>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(enter());
        }
        return all;
    }

    private static long passed(List<CompletableFuture<Pass>> entries, Pass pass) {
        return entries.stream().filter(entry -> entry.getNow(null) == pass).count();
    }

    @Test
    void shouldLetOneCallWakeColdDeploymentAndGiveTheRestTheConnection() {
        List<CompletableFuture<Pass>> burst = enter(10);
        assertThat(passed(burst, Pass.HTTP)).isEqualTo(1);

        gate.connected();

        assertThat(passed(burst, Pass.HTTP)).isEqualTo(1);
        assertThat(passed(burst, Pass.TCP)).isEqualTo(9);
        assertThat(scheduler.timers()).isZero();
    }

    @Test
    void shouldLetThoseThatWaitLookForOtherConnections() {
        List<CompletableFuture<Pass>> burst = enter(10);

        gate.release();

        assertThat(passed(burst, Pass.TCP)).isEqualTo(9);
        assertThat(gate.tryEnter())
                .as("the call goes on, and no instance is connected")
                .isFalse();
        assertThat(scheduler.timers()).isZero();
    }

    @Test
    void shouldOpenFurtherWithEveryAnswerUpToTheLimit() {
        List<CompletableFuture<Pass>> burst = enter(10);

        gate.left(true, false);
        assertThat(passed(burst, Pass.HTTP)).isEqualTo(1 + 2);
        gate.left(true, false);
        assertThat(passed(burst, Pass.HTTP)).isEqualTo(2 + 4);
        gate.left(true, false);
        assertThat(passed(burst, Pass.HTTP)).isEqualTo(10);
        gate.left(true, false);
        gate.left(true, false);
        assertThat(enter(9).stream().filter(CompletableFuture::isDone)).hasSize(3);
    }

    @Test
    void shouldCloseWithEveryFailure() {
        List<CompletableFuture<Pass>> burst = enter(10);
        gate.left(true, false);
        gate.left(true, false);
        assertThat(passed(burst, Pass.HTTP)).isEqualTo(6);

        gate.left(false, false);
        gate.left(false, false);
        gate.left(false, false);
        assertThat(passed(burst, Pass.HTTP)).isEqualTo(6);
        gate.left(false, false);

        assertThat(passed(burst, Pass.HTTP)).isEqualTo(7);
    }

    @Test
    void shouldLetUpToTheLimitPassWhileAnInstanceIsConnected() {
        gate.connected();

        for (int i = 0; i < 8; i++) {
            assertThat(gate.tryEnter()).isTrue();
        }
        assertThat(gate.tryEnter()).isFalse();
        gate.left(false, false);
        assertThat(gate.tryEnter()).isTrue();
    }

    @Test
    void shouldStartSlowlyAgainWhenTheLastConnectionIsGone() {
        gate.connected();
        gate.connected();
        gate.disconnected();
        assertThat(gate.tryEnter()).isTrue();
        assertThat(gate.tryEnter()).isTrue();

        gate.disconnected();

        assertThat(gate.tryEnter()).isFalse();
    }

    /** For each call that finds no container ready OpenWhisk starts another, and removes those of other functions. */
    @Test
    void shouldLetTheOnlyCallWakeADeploymentThatHasNeverAnswered() {
        List<CompletableFuture<Pass>> burst = enter(10);

        gate.overdue();
        assertThat(passed(burst, Pass.HTTP)).isEqualTo(1);
        gate.left(true, true);
        assertThat(passed(burst, Pass.HTTP)).isEqualTo(1 + 2);
    }

    @Test
    void shouldNotWaitForeverForADeploymentThatHasNeverAnswered() {
        List<CompletableFuture<Pass>> burst =
                List.of(gate.enter(HOUR).toCompletableFuture(), gate.enter(HOUR).toCompletableFuture());
        gate.overdue();
        scheduler.advance(Duration.ofNanos(HttpGate.COLD_START_NANOS - 1));
        assertThat(passed(burst, Pass.HTTP)).isEqualTo(1);

        scheduler.advance(Duration.ofNanos(1));

        assertThat(passed(burst, Pass.HTTP)).isEqualTo(2);
        gate.left(false, true);
        gate.left(false, false);
        assertThat(gate.tryEnter()).isTrue();
        assertThat(gate.tryEnter()).isFalse();
    }

    /** A platform counts calls alone: an instance that serves by TCP is frozen after its time. */
    @Test
    void shouldSeemIdleAfterMinutesWithoutACall() {
        gate.connected();
        scheduler.advance(Duration.ofNanos(HttpGate.IDLE_NANOS));
        assertThat(gate.seemsIdle()).isFalse();
        scheduler.advance(Duration.ofNanos(1));
        assertThat(gate.seemsIdle()).isTrue();

        assertThat(gate.tryReplace()).isTrue();

        assertThat(gate.seemsIdle()).isFalse();
    }

    private void answerOnce() {
        assertThat(gate.tryEnter()).isTrue();
        gate.left(true, false);
        assertThat(gate.tryEnter()).isTrue();
        gate.left(false, false);
    }

    @Test
    void shouldLetOneMoreTryWhileOverdueCallGoesOn() {
        answerOnce();
        List<CompletableFuture<Pass>> burst = enter(10);

        gate.overdue();
        assertThat(passed(burst, Pass.HTTP)).isEqualTo(2);
        gate.left(true, true);
        assertThat(passed(burst, Pass.HTTP)).isEqualTo(3);
    }

    @Test
    void shouldCountOverdueCallsToTheLimit() {
        answerOnce();
        for (int i = 0; i < 7; i++) {
            assertThat(gate.tryEnter()).isTrue();
            gate.overdue();
        }
        assertThat(gate.tryEnter()).isTrue();
        gate.overdue();
        assertThat(gate.tryEnter()).isFalse();

        gate.left(false, true);

        assertThat(gate.tryEnter()).isTrue();
    }

    @Test
    void shouldNotOvertakeThoseThatWait() {
        enter(2);
        assertThat(gate.tryEnter()).isFalse();
    }

    @Test
    void shouldEndWaitsAtTheirTimeAndBoundThem() {
        List<CompletableFuture<Pass>> burst = enter(12);
        assertThat(code(burst.get(11))).isEqualTo(ErrorCode.OVERLOADED);

        scheduler.advance(WAIT);

        assertThat(burst.get(0).getNow(null)).isEqualTo(Pass.HTTP);
        assertThat(code(burst.get(1))).isEqualTo(ErrorCode.NOT_READY);
        assertThat(code(burst.get(10))).isEqualTo(ErrorCode.NOT_READY);
    }

    private static ErrorCode code(CompletableFuture<Pass> failed) {
        assertThat(failed).isCompletedExceptionally();
        return FsException.of(failed.handle((pass, thrown) -> thrown).join()).code();
    }

    @Test
    void shouldReplaceNoMoreOftenThanIsAllowed() {
        gate.connected();
        assertThat(gate.tryReplace()).isTrue();
        assertThat(gate.tryReplace()).isFalse();
        assertThat(gate.tryEnter()).as("what has to go by HTTP is not held up").isTrue();
        scheduler.advance(Duration.ofMillis(1));
        assertThat(gate.tryReplace()).isTrue();
        assertThat(gate.tryReplace()).isFalse();
    }
}
