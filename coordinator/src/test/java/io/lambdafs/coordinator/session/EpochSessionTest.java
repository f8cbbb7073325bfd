package io.lambdafs.coordinator.session;

import static io.lambdafs.coordinator.testkit.TestInstance.isAlive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.coordinator.memory.MemoryChannel;
import io.lambdafs.coordinator.memory.MemoryCoordinator;
import io.lambdafs.coordinator.testkit.Environment;
import io.lambdafs.coordinator.testkit.Journal;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.coordinator.testkit.TestInstance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import io.lambdafs.store.instance.ConfirmedLeases;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Tests of exact moments, in simulated time: leases counted from the sending, waits of a fence, lost and late messages.
 * A message takes 2 ms to the coordinator, 1 ms between instances, each way.
 */
class EpochSessionTest extends EpochSessionContract {
    private static final long STEP = Duration.ofMillis(1).toNanos();
    private static final long LEASE = Times.DEFAULT.held().toNanos();
    private static final long GRACE = Times.DEFAULT.outlasting().toNanos();

    private SimulatedEnvironment simulation;

    @Override
    protected Environment createEnvironment() {
        simulation = new SimulatedEnvironment(1);
        return simulation;
    }

    private static MemoryCoordinator link(TestInstance instance) {
        return (MemoryCoordinator) instance.connection();
    }

    private static MemoryChannel channel(TestInstance instance) {
        return (MemoryChannel) instance.channel();
    }

    private long now() {
        return simulation.clock().nanoTime();
    }

    private long runs(CompletionStage<?> stage) {
        long from = now();
        environment.await("ends", () -> stage.toCompletableFuture().isDone());
        return now() - from;
    }

    private static ErrorCode failure(CompletionStage<?> stage) {
        assertThat(stage.toCompletableFuture()).isCompletedExceptionally();
        return FsException.of(stage.handle((value, failure) -> failure)
                        .toCompletableFuture()
                        .join())
                .code();
    }

    // Lease

    @Test
    void shouldCountTheLeaseFromTheMomentThatARenewalWasSent() {
        TestInstance a = joined("a");
        long epoch = a.session().epoch();
        simulation.ensemble().setLatency(Duration.ofMillis(150));
        simulation.pass(Duration.ofSeconds(3));
        link(a).partition();

        environment.await("the lease runs out", () -> !a.session().isLive(epoch));

        List<Journal.Event> renewals = journal.of("renew done", epoch);
        Journal.Event last = renewals.get(renewals.size() - 1);
        assertThat(last.at() - last.sentAt()).as("the answer took its time").isGreaterThanOrEqualTo(300 * STEP);
        assertThat(now() - last.sentAt()).isBetween(LEASE, LEASE + STEP);
    }

    /** PROTOCOL: E1. Neither from the registration, since when it may have fenced others, nor from the answer. */
    @Test
    void shouldCountTheFirstLeaseFromTheRenewalThatFollowsItsFencing() {
        TestInstance dead = joined("dead");
        dead.process().freeze();
        TestInstance a = instance("a");
        simulation.ensemble().setLatency(Duration.ofMillis(150));
        long epoch = a.join();
        assertThat(a.session().isLive(epoch)).isTrue();
        link(a).partition();

        environment.await("the lease runs out", () -> !a.session().isLive(epoch));

        List<Journal.Event> renewals = journal.of("renew done", epoch);
        Journal.Event last = renewals.get(renewals.size() - 1);
        assertThat(last.sentAt()).isGreaterThan(journal.first("forget done", 1).at() - STEP);
        assertThat(now() - last.sentAt()).isBetween(LEASE, LEASE + STEP);
        assertThat(now() - journal.first("register", epoch).sentAt()).isGreaterThan(LEASE + GRACE);
    }

    /** PROTOCOL: E1. It may have been fenced while it joined. */
    @Test
    void shouldHaveNoLeaseBeforeARenewalThatFollowsTheAcknowledgements() {
        joined("a");
        TestInstance b = instance("b");
        b.coordinator().silenceRenewals();
        b.session().join();
        simulation.pass(Duration.ofSeconds(5));
        assertThat(journal.of("register done", 2)).isNotEmpty();
        assertThat(b.listener().story()).isEmpty();
        assertThat(b.session().isLive(2)).isFalse();
    }

    @Test
    void shouldStayLiveWhileRenewalsSucceed() {
        TestInstance a = joined("a");
        long epoch = a.session().epoch();

        for (int second = 0; second < 60; second++) {
            simulation.pass(Duration.ofSeconds(1));
            assertThat(a.session().isLive(epoch)).isTrue();
        }
    }

    @Test
    void shouldNotReviveALeaseThatLapsedWhileItsRenewalWasAnswered() {
        TestInstance a = joined("a");
        long epoch = a.session().epoch();
        int before = journal.of("renew", epoch).size();
        environment.await("a renewal is sent", () -> journal.of("renew", epoch).size() > before);
        a.process().freeze();
        // The renewal reached the coordinator and was granted; its lease has 50 ms left at the thaw, the one before has
        // lapsed.
        simulation.pass(Duration.ofMillis(950));
        assertThat(a.session().isLive(epoch)).isFalse();

        a.process().thaw();
        for (int i = 0; i < 60; i++) {
            simulation.pass(Duration.ofMillis(1));
            assertThat(a.session().isLive(epoch)).isFalse();
        }
        environment.await("a is back", () -> a.session().epoch() > epoch);
    }

    private void write(Mutation... changes) {
        environment.await(environment.store().begin(0).commit(List.of(changes), Long.MAX_VALUE));
    }

    /** PROTOCOL: D7. Who keeps the members knows nothing of it, and grants every renewal. */
    @Test
    void shouldBeOverWithinALeaseWhenTheStoreCameBackOlder() {
        write(new Mutation.Put(ConfirmedLeases.ROW));
        TestInstance a = joined("a");
        long epoch = a.session().epoch();
        simulation.pass(Duration.ofSeconds(10));
        assertThat(a.session().isLive(epoch)).isTrue();

        write(new Mutation.Delete(Rows.instanceKey(epoch)), new Mutation.Delete(Rows.epochKey(epoch)));
        long from = now();
        environment.await("the epoch is over", () -> !a.session().isLive(epoch));

        assertThat(now() - from).isLessThanOrEqualTo(LEASE);
        environment.await("a is back", () -> a.session().epoch() > epoch);
    }

    /** It never comes back older, and asking would end the leases of all when it is lost for a moment. */
    @Test
    void shouldNotAskAStoreThatDoesNotConfirmLeases() {
        TestInstance a = joined("a");
        long epoch = a.session().epoch();
        write(new Mutation.Delete(Rows.instanceKey(epoch)), new Mutation.Delete(Rows.epochKey(epoch)));
        simulation.pass(Duration.ofSeconds(10));
        assertThat(a.session().isLive(epoch)).isTrue();
    }

    @Test
    void shouldKeepTheLaterLeaseWhenAnEarlierRenewalIsAnsweredLast() {
        Lease lease = new Lease(simulation.clock(), LEASE);
        lease.begin(1);
        lease.confirm(1, 0);
        simulation.pass(Duration.ofMillis(400));

        assertThat(lease.extend(1, 300 * STEP)).isTrue();
        assertThat(lease.extend(1, 200 * STEP)).isTrue();

        assertThat(lease.remaining(1)).isEqualTo(LEASE - 100 * STEP);
    }

    @Test
    void shouldBeOverWhenALeaseRunsOutWithoutTheCoordinator() {
        TestInstance a = joined("a");
        long epoch = a.session().epoch();
        link(a).partition();
        environment.await("ended", () -> a.listener().story().contains("ended " + epoch));

        assertThat(a.session().epoch()).isZero();
        link(a).heal();
        environment.await("a is back", () -> a.session().epoch() > epoch);
        assertThat(isAlive(environment, epoch)).isFalse();
    }

    @Test
    void shouldNotJoinWhenItIsCutOffFromTheCoordinatorDuringTheJoin() {
        joined("a").process().freeze();
        TestInstance b = instance("b");
        CompletionStage<Long> join = b.session().join();
        environment.await(
                "b is registered", () -> !journal.of("register done", 2).isEmpty());
        link(b).partition();

        environment.await("the join ends", () -> join.toCompletableFuture().isDone());

        assertThat(join.toCompletableFuture()).isCompletedExceptionally();
        assertThat(b.session().isLive(2)).isFalse();
        assertThat(b.listener().story()).isEmpty();
    }

    @Test
    void shouldNotConfirmAJoinWhoseLeaseHasLapsed() {
        Lease lease = new Lease(simulation.clock(), LEASE);
        lease.begin(1);
        simulation.pass(Duration.ofSeconds(1));

        assertThat(lease.confirm(1, 0)).isFalse();
        assertThat(lease.joined()).isZero();
    }

    @Test
    void shouldJoinThroughASlowCoordinator() {
        simulation.ensemble().setLatency(Duration.ofMillis(180));
        TestInstance a = instance("a");

        long epoch = a.join();

        simulation.pass(Duration.ofSeconds(3));
        assertThat(epoch).as("at the first attempt").isEqualTo(1);
        assertThat(a.session().isLive(epoch)).isTrue();
    }

    @Test
    void shouldEndWithTheFirstRefusedRenewal() {
        TestInstance a = joined("a");
        long epoch = a.session().epoch();
        simulation.pass(Duration.ofMillis(340));
        environment.await(a.coordinator().refuseRenewals(epoch));
        long from = now();

        environment.await("ended", () -> a.listener().story().contains("ended " + epoch));

        // Long before the lease would have run out.
        assertThat(now() - from).isLessThan(LEASE / 2);
    }

    // Join

    @Test
    void shouldKnowANewcomerFromItsGreetingAlone() {
        TestInstance a = joined("a");
        a.coordinator().holdReports();
        TestInstance b = instance("b");

        long epoch = b.join();

        assertThat(a.session().view().members()).containsKey(epoch);
    }

    @Test
    void shouldKeepANewcomerThatGreetedWhenAnOlderReportComes() {
        TestInstance a = joined("a");
        a.coordinator().holdReports();
        TestInstance b = joined("b");
        TestInstance c = joined("c");
        environment.await(c.session().leave());
        simulation.pass(Duration.ofMillis(20));

        // In order: with b; with b and c; with b.
        a.coordinator().releaseReports();

        assertThat(a.session().view().members()).containsKey(b.session().epoch());
        assertThat(a.session().view().members()).hasSize(2);
    }

    @Test
    void shouldKeepALearnedMemberThatAReportDoesNotShowYet() {
        Roster roster = new Roster();
        Member old = new Member(1, 0, "old", "h", 1, true);
        Member greeted = new Member(2, 0, "greeted", "h", 2, true);
        roster.report(new View(1, Map.of(1L, old), Set.of()));
        roster.learn(greeted);

        roster.report(new View(2, Map.of(1L, old), Set.of(1L)));
        assertThat(roster.view().members()).containsOnlyKeys(1L, 2L);

        roster.report(new View(3, Map.of(1L, old, 2L, greeted), Set.of()));
        roster.report(new View(4, Map.of(1L, old), Set.of()));
        assertThat(roster.view().members()).containsOnlyKeys(1L);

        roster.learn(greeted);
        assertThat(roster.view().members()).as("a late greeting revives nobody").containsOnlyKeys(1L);
        assertThat(roster.isUnreported(2)).isFalse();
    }

    @Test
    void shouldDropANewcomerThatIsForgottenBeforeItWasEverReported() {
        TestInstance a = joined("a");
        a.coordinator().holdReports();
        TestInstance b = joined("b");
        long epoch = b.session().epoch();
        assertThat(a.session().view().members()).containsKey(epoch);

        environment.await(b.session().leave());

        environment.await("a drops b", () -> !a.session().view().members().containsKey(epoch));
        assertThat(journal.of("refuse", epoch)).as("by asking, not by fencing").isEmpty();
    }

    @Test
    void shouldDropAMemberThatItsJoinListedAndThatLeftBeforeItWasEverReported() {
        TestInstance a = joined("a");
        long epoch = a.session().epoch();
        TestInstance b = instance("b");
        b.coordinator().holdReports();
        b.join();
        assertThat(b.session().view().members()).containsKey(epoch);

        environment.await(a.session().leave());

        environment.await("b drops a", () -> !b.session().view().members().containsKey(epoch));
        assertThat(journal.of("refuse", epoch)).as("by asking, not by fencing").isEmpty();
    }

    // Fence

    @Test
    void shouldWaitForTheLeaseCountedFromTheRefusal() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member frozen = b.member();
        b.process().freeze();
        long from = now();

        environment.await(a.invalidate(frozen));

        long epoch = frozen.epoch();
        assertThat(journal.first("refuse", epoch).sentAt() - from)
                .as("the whole ACK wait")
                .isBetween(500 * STEP, 510 * STEP);
        assertThat(journal.first("kill", epoch).sentAt()
                        - journal.first("refuse done", epoch).at())
                .isBetween(GRACE, GRACE + STEP);
        assertThat(journal.indexOf("kill done", epoch)).isLessThan(journal.indexOf("forget", epoch));
    }

    @Test
    void shouldNotKillAnEpochWhileItsLeaseMayStand() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member cut = b.member();
        channel(b).isolate();
        var round = a.invalidate(cut).toCompletableFuture();

        while (!round.isDone()) {
            boolean dead = journal.indexOf("kill", cut.epoch()) >= 0;
            assertThat(dead && b.session().isLive(cut.epoch())).isFalse();
            simulation.pass(Duration.ofMillis(1));
        }

        assertThat(round).isCompleted();
    }

    @Test
    void shouldTryOnceMoreWhenTheFirstTryFailsFast() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member target = b.member();
        channel(b).close();
        long from = now();

        var round = a.invalidate(target).toCompletableFuture();
        environment.await("refused", () -> journal.indexOf("refuse", target.epoch()) >= 0);

        // Two tries of 2 ms with a pause of 5 ms, not the ACK wait.
        assertThat(now() - from).isBetween(8 * STEP, 15 * STEP);
        environment.await(round);
    }

    @Test
    void shouldFenceWithoutALeaseWaitWhenTheSessionIsOver() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        TestInstance c = joined("c");
        Member dead = c.member();
        // Nobody sweeps: a and b are too slow to see it.
        c.kill();
        link(c).loseSession();
        environment.await("seen", () -> a.session().view().absent().contains(dead.epoch()));

        assertThat(runs(a.invalidate(dead))).isLessThan(50 * STEP);

        assertThat(isAlive(environment, dead.epoch())).isFalse();
        assertThat(b.session().epoch()).isNotZero();
    }

    @Test
    void shouldFenceAnEpochThatIsOverThereWithoutALeaseWait() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member before = b.member();
        // b's epoch ends, and b cannot tell the coordinator.
        link(b).partition();
        b.session().fencedByStore(before.epoch());
        simulation.pass(Duration.ofMillis(5));

        assertThat(runs(a.invalidate(before))).isLessThan(50 * STEP);

        assertThat(isAlive(environment, before.epoch())).isFalse();
    }

    @Test
    void shouldEndTheRoundAtOnceWhenATargetLeaves() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member target = b.member();
        b.listener().drainLater();
        var round = a.invalidate(target).toCompletableFuture();
        simulation.pass(Duration.ofMillis(300));
        assertThat(round).isNotDone();

        environment.await(b.session().leave());

        assertThat(runs(round)).isLessThan(20 * STEP);
        assertThat(journal.of("refuse", target.epoch())).isEmpty();
    }

    @Test
    void shouldShareOneFenceBetweenAllThatWaitForIt() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member target = b.member();
        b.process().freeze();

        environment.await(CompletableFuture.allOf(
                a.invalidate(target).toCompletableFuture(),
                a.invalidate(target).toCompletableFuture(),
                a.session().fence(target).toCompletableFuture()));

        assertThat(journal.of("refuse", target.epoch())).hasSize(1);
        assertThat(journal.of("kill", target.epoch())).hasSize(1);
    }

    @Test
    void shouldBeUnavailableWhenItCannotFence() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member target = b.member();
        b.process().freeze();
        link(a).partition();

        var round = a.invalidate(target);
        runs(round);

        assertThat(failure(round)).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void shouldNotWaitWithoutEndForACoordinatorThatIsSilent() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member target = b.member();
        b.process().freeze();
        a.coordinator().silence();

        var round = a.invalidate(target);
        long time = runs(round);

        assertThat(failure(round)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(time)
                .isLessThanOrEqualTo(Times.DEFAULT
                        .transaction()
                        .plus(Times.DEFAULT.ackWait())
                        .plusMillis(10)
                        .toNanos());
    }

    @Test
    void shouldFenceEachOtherAndComeBack() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        long first = a.session().epoch();
        long second = b.session().epoch();
        channel(a).isolate();

        var one = a.invalidate(b.member()).toCompletableFuture();
        var two = b.invalidate(a.member()).toCompletableFuture();
        environment.await("both rounds end", () -> one.isDone() && two.isDone());

        assertThat(a.session().isLive(first)).isFalse();
        assertThat(b.session().isLive(second)).isFalse();
        assertThat(isAlive(environment, first)).isFalse();
        assertThat(isAlive(environment, second)).isFalse();
        channel(a).heal();
        environment.await(
                "both are back and know each other",
                () -> a.session().epoch() > first
                        && b.session().epoch() > second
                        && a.session().view().members().containsKey(b.session().epoch())
                        && b.session().view().members().containsKey(a.session().epoch()));
    }

    @Test
    void shouldLetTheLowestLiveEpochSweepAndOthersTakeOver() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        TestInstance c = joined("c");
        long dead = c.session().epoch();
        // a, the lowest, cannot do it; b waits one ACK wait, then does.
        link(a).partition();
        c.kill();
        link(c).loseSession();
        long from = now();

        environment.await("b forgets c", () -> !b.session().view().members().containsKey(dead));

        assertThat(now() - from).isBetween(500 * STEP, 600 * STEP);
        assertThat(isAlive(environment, dead)).isFalse();
    }

    // Rounds

    @Test
    void shouldSayBusyWhenATargetNeverDrains() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        b.listener().drainLater();

        var round = a.invalidate(b.member());
        long time = runs(round);

        assertThat(failure(round)).isEqualTo(ErrorCode.SUBTREE_BUSY);
        long limit = Times.DEFAULT.transaction().toNanos();
        assertThat(time).isBetween(limit, limit + 300 * STEP);
        assertThat(b.listener().story()).hasSize(1);
    }

    @Test
    void shouldNotFenceOthersBecauseItStoodStillItself() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member target = b.member();
        var round = a.invalidate(target).toCompletableFuture();
        // Less than its lease, longer than the ACK wait: the ACK and the time-out are both due at the thaw.
        a.process().freeze();
        channel(b).isolate();
        simulation.pass(Duration.ofMillis(700));
        channel(b).heal();
        a.process().thaw();

        environment.await(round);

        assertThat(journal.of("refuse", target.epoch())).isEmpty();
        assertThat(b.session().isLive(target.epoch())).isTrue();
    }

    @Test
    void shouldNotFenceOthersBecauseItIsOverloadedItself() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member target = b.member();
        channel(a).overload(20);

        environment.await(a.invalidate(target));

        assertThat(b.listener().invalidations()).hasSize(1);
        assertThat(journal.of("refuse", target.epoch())).isEmpty();
    }

    @Test
    void shouldCompleteARoundWithoutTargets() {
        assertThat(joined("a").invalidate().toCompletableFuture()).isCompleted();
    }

    // Leave

    @Test
    void shouldBeDeadAtTheMomentThatItLeaves() {
        TestInstance a = joined("a");
        long epoch = a.session().epoch();

        a.session().leave();

        assertThat(a.session().isLive(epoch)).isFalse();
    }

    @Test
    void shouldRetireTheEpochOfAJoinThatIsLeft() {
        joined("a").process().freeze();
        TestInstance b = instance("b");
        CompletionStage<Long> join = b.session().join();
        environment.await(
                "b is registered", () -> !journal.of("register done", 2).isEmpty());

        environment.await(b.session().leave());

        assertThat(join.toCompletableFuture()).isCompletedExceptionally();
        assertThat(isAlive(environment, 2)).isFalse();
        simulation.pass(Duration.ofSeconds(5));
        assertThat(b.listener().story()).isEmpty();
        assertThat(environment.await(b.connection().members()).members()).doesNotContainKey(2L);
    }

    @Test
    void shouldStayAwayAfterItLeft() {
        TestInstance a = joined("a");
        environment.await(a.session().leave());

        simulation.pass(Duration.ofSeconds(10));

        assertThat(a.listener().story()).hasSize(2);
        assertThat(environment.await(a.connection().members()).members()).isEmpty();
    }

    @Test
    void shouldSayWhenItCannotLeaveInOrderAndFinishThatWithTheNextJoin() {
        TestInstance a = joined("a");
        long epoch = a.session().epoch();
        link(a).partition();

        assertThatThrownBy(() -> environment.await(a.session().leave()))
                .satisfies(failed -> assertThat(FsException.of(failed).code()).isEqualTo(ErrorCode.UNAVAILABLE));
        link(a).heal();
        long next = a.join();

        assertThat(isAlive(environment, epoch)).isFalse();
        assertThat(environment.await(a.connection().members()).members()).containsOnlyKeys(next);
    }
}
