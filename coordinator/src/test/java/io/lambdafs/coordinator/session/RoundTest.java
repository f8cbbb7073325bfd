package io.lambdafs.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.coordinator.memory.MemoryNetwork;
import io.lambdafs.coordinator.testkit.Journal;
import io.lambdafs.coordinator.testkit.ProcessScheduler;
import io.lambdafs.coordinator.testkit.RecordingCoordinator;
import io.lambdafs.coordinator.testkit.RecordingStore;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.model.time.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One round, to the nanosecond: what is sent and fenced when. */
class RoundTest {
    private static final long ACK_WAIT = Times.DEFAULT.ackWait().toNanos();
    private static final long TRANSACTION = Times.DEFAULT.transaction().toNanos();
    private static final long PAUSE = Duration.ofMillis(5).toNanos();

    private final SimulatedEnvironment environment = new SimulatedEnvironment(1);
    private final ManualScheduler clock = environment.clock();
    private final Journal journal = new Journal();
    private final Member one = new Member(1, 0, "one", "h", 1, true);
    private final Member two = new Member(2, 0, "two", "h", 2, true);
    private final Roster roster = new Roster();
    private final List<Asked> asked = new ArrayList<>();
    private SessionContext context;
    private RecordingCoordinator coordinator;

    private record Asked(Member target, long timeoutNanos, CompletableFuture<Acknowledgement> answer) {}

    @BeforeEach
    void start() {
        environment.setLatency(Duration.ZERO);
        ProcessScheduler process = new ProcessScheduler(clock);
        coordinator = new RecordingCoordinator(environment.connect(process), clock, journal);
        context = new SessionContext(
                coordinator,
                new MemoryNetwork(clock).channel(process),
                new RecordingStore(environment.store(), clock, journal),
                clock,
                Times.DEFAULT);
        roster.report(new View(1, Map.of(1L, one, 2L, two), Set.of()));
    }

    @AfterEach
    void stop() {
        coordinator.close();
        environment.close();
    }

    private CompletableFuture<Void> run(Set<Long> absent, Member... targets) {
        Lease lease = new Lease(clock, Times.DEFAULT.held().toNanos());
        SessionMembers members = new SessionMembers(lease, roster, new Fence(context, roster, fenced -> {}));
        Round round = new Round(context, members, ACK_WAIT, (target, timeoutNanos) -> {
            CompletableFuture<Acknowledgement> answer = new CompletableFuture<>();
            asked.add(new Asked(target, timeoutNanos, answer));
            return answer;
        });
        CompletionStage<Void> result = round.run(List.of(targets), absent);
        clock.run();
        return result.toCompletableFuture();
    }

    private Asked last() {
        return asked.get(asked.size() - 1);
    }

    private void answer(long epoch, boolean drained) {
        last().answer().complete(new Acknowledgement(epoch, drained));
        clock.run();
    }

    private void fail(ErrorCode code) {
        last().answer().completeExceptionally(new FsException(code, "says the test"));
        clock.run();
    }

    private boolean isFenced(long epoch) {
        return !journal.of("refuse", epoch).isEmpty();
    }

    private static ErrorCode failure(CompletableFuture<Void> round) {
        try {
            round.getNow(null);
            throw new AssertionError("has not failed");
        } catch (CompletionException e) {
            return FsException.of(e).code();
        }
    }

    @Test
    void shouldBeOverAtOnceWithoutTargets() {
        assertThat(run(Set.of())).isCompleted();
    }

    @Test
    void shouldEndWhenAllHaveAcknowledged() {
        CompletableFuture<Void> round = run(Set.of(), one, two);
        assertThat(asked).extracting(Asked::timeoutNanos).containsExactly(ACK_WAIT, ACK_WAIT);
        asked.get(0).answer().complete(new Acknowledgement(1, true));
        assertThat(round).isNotDone();
        answer(2, true);
        assertThat(round).isCompleted();
    }

    @Test
    void shouldGiveTheSecondTryWhatIsLeftOfTheWait() {
        run(Set.of(), one);
        clock.advance(ACK_WAIT / 5);
        fail(ErrorCode.CONNECTION_LOST);
        clock.advance(PAUSE - 1);
        assertThat(asked).hasSize(1);
        clock.advance(1);
        assertThat(asked).hasSize(2);
        assertThat(last().timeoutNanos()).isEqualTo(ACK_WAIT - ACK_WAIT / 5 - PAUSE);
        fail(ErrorCode.CONNECTION_LOST);
        clock.advance(PAUSE);
        assertThat(asked).hasSize(2);
        assertThat(isFenced(1)).isTrue();
    }

    @Test
    void shouldTryAgainOnlyWhatFailsInTheFirstHalfOfTheWait() {
        run(Set.of(), one);
        clock.advance(ACK_WAIT / 2 - 1);
        fail(ErrorCode.CONNECTION_LOST);
        assertThat(isFenced(1)).isFalse();

        run(Set.of(), two);
        Asked other = last();
        clock.advance(ACK_WAIT / 2);
        other.answer().completeExceptionally(new FsException(ErrorCode.CONNECTION_LOST, "says the test"));
        clock.run();
        assertThat(isFenced(2)).isTrue();
    }

    @Test
    void shouldNotFenceForAWaitThatTookFarLongerThanItsLimit() {
        run(Set.of(), one);
        clock.advance(ACK_WAIT + ACK_WAIT / 4 + 1);
        fail(ErrorCode.TIMED_OUT);
        assertThat(isFenced(1)).isFalse();
        clock.advance(PAUSE);
        assertThat(last().timeoutNanos()).isEqualTo(ACK_WAIT);
        assertThat(asked).hasSize(2);

        run(Set.of(), two);
        clock.advance(ACK_WAIT + ACK_WAIT / 4);
        fail(ErrorCode.TIMED_OUT);
        assertThat(isFenced(2)).isTrue();
    }

    @Test
    void shouldAskAgainUntilTheOtherHasDrainedOrATransactionsTimeIsOver() {
        CompletableFuture<Void> round = run(Set.of(), one);
        for (long at = 0; at < TRANSACTION; at += PAUSE) {
            answer(1, false);
            assertThat(round).isNotDone();
            clock.advance(PAUSE);
        }
        answer(1, false);
        assertThat(failure(round)).isEqualTo(ErrorCode.SUBTREE_BUSY);
        assertThat(isFenced(1)).isFalse();

        CompletableFuture<Void> other = run(Set.of(), two);
        answer(2, false);
        clock.advance(PAUSE);
        answer(2, true);
        assertThat(other).isCompleted();
    }

    @Test
    void shouldAskAgainWhereItCouldNotSendUntilATransactionsTimeIsOver() {
        CompletableFuture<Void> round = run(Set.of(), one);
        for (long at = 0; at < TRANSACTION; at += PAUSE) {
            fail(ErrorCode.OVERLOADED);
            assertThat(round).isNotDone();
            clock.advance(PAUSE);
        }
        fail(ErrorCode.OVERLOADED);
        assertThat(failure(round)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(isFenced(1)).isFalse();
    }

    @Test
    void shouldFailWithWhatIsTooLargeToBeSent() {
        CompletableFuture<Void> round = run(Set.of(), one);
        fail(ErrorCode.BAD_FRAME);
        assertThat(failure(round)).isEqualTo(ErrorCode.BAD_FRAME);
        assertThat(isFenced(1)).isFalse();
    }

    @Test
    void shouldFenceAtOnceWhoIsAbsentOrUnderAnotherEpoch() {
        CompletableFuture<Void> absent = run(Set.of(1L), one);
        assertThat(asked).isEmpty();
        assertThat(absent).isCompleted();
        assertThat(isFenced(1)).isTrue();

        CompletableFuture<Void> other = run(Set.of(), two);
        answer(7, true);
        assertThat(other).isCompleted();
        assertThat(isFenced(2)).isTrue();
    }

    @Test
    void shouldEndWhenATargetIsGoneOrHasGoneBefore() {
        CompletableFuture<Void> round = run(Set.of(), one, two);
        answer(2, true);
        roster.report(new View(2, Map.of(2L, two), Set.of()));
        assertThat(round).isCompleted();
        assertThat(run(Set.of(), one)).isCompleted();
    }

    @Test
    void shouldFailWhereItCannotFence() {
        coordinator.silence();
        CompletableFuture<Void> round = run(Set.of(), one);
        clock.advance(ACK_WAIT);
        fail(ErrorCode.TIMED_OUT);
        clock.advance(TRANSACTION);
        assertThat(failure(round)).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void shouldFollowTheMembersNoLongerThanItRuns() {
        int before = roster.followers();
        CompletableFuture<Void> round = run(Set.of(), one);
        assertThat(roster.followers()).isEqualTo(before + 1);
        answer(1, true);
        assertThat(round).isCompleted();
        run(Set.of(), two);
        fail(ErrorCode.BAD_FRAME);
        assertThat(roster.followers()).isEqualTo(before);
    }
}
