package io.lambdafs.coordinator.session;

import static io.lambdafs.coordinator.testkit.TestInstance.isAlive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.memory.MemoryCoordinator;
import io.lambdafs.coordinator.testkit.Journal;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.coordinator.testkit.TestInstance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.instance.ConfirmedLeases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the ends of epochs and attempts, and what follows, in simulated time. */
class SessionLifeTest {
    private final SimulatedEnvironment environment = new SimulatedEnvironment(1);
    private final Journal journal = new Journal();
    private final List<TestInstance> instances = new ArrayList<>();

    private TestInstance instance(String name) {
        TestInstance instance = new TestInstance(environment, name, journal);
        instances.add(instance);
        return instance;
    }

    private TestInstance joined(String name) {
        TestInstance instance = instance(name);
        instance.join();
        return instance;
    }

    @AfterEach
    void close() {
        instances.forEach(TestInstance::close);
        environment.close();
    }

    private static FsException failure(CompletableFuture<?> stage) {
        assertThat(stage).isDone();
        try {
            throw new AssertionError("succeeded with " + stage.join());
        } catch (CompletionException e) {
            return FsException.of(e);
        }
    }

    private int renewals(long epoch) {
        return journal.of("renew", epoch).size();
    }

    @Test
    void shouldRenewNothingUnderAnEpochThatIsOver() {
        TestInstance a = joined("a");
        long epoch = a.session().epoch();
        a.session().fencedByStore(epoch);
        int before = renewals(epoch);
        environment.await("a is back", () -> a.session().epoch() > epoch);
        environment.pass(Duration.ofSeconds(2));
        assertThat(renewals(epoch)).isEqualTo(before);
        assertThat(a.listener().story())
                .containsExactly(
                        "joined " + epoch,
                        "ended " + epoch,
                        "joined " + a.session().epoch());
    }

    @Test
    void shouldEndForGoodWhenItIsClosed() {
        TestInstance a = joined("a");
        long epoch = a.session().epoch();
        a.session().close();
        assertThat(a.session().isLive(epoch)).isFalse();
        int before = renewals(epoch);
        environment.pass(Duration.ofSeconds(5));
        assertThat(a.listener().story()).containsExactly("joined " + epoch, "ended " + epoch);
        assertThat(renewals(epoch)).isEqualTo(before);

        CompletableFuture<Long> again = a.session().join().toCompletableFuture();
        environment.pass(Duration.ofSeconds(3));
        assertThat(failure(again).code()).isEqualTo(ErrorCode.NOT_READY);
        assertThat(a.listener().story()).hasSize(2);
    }

    @Test
    void shouldGiveUpAJoinThatIsUnderWayWhenItIsClosed() {
        TestInstance other = joined("other");
        other.listener().drainLater();
        TestInstance a = instance("a");
        CompletableFuture<Long> join = a.session().join().toCompletableFuture();
        environment.await("a renews while it greets", () -> renewals(2) > 1);
        a.session().close();
        environment.pass(Duration.ofMillis(10));
        assertThat(failure(join).code()).isEqualTo(ErrorCode.NOT_READY);
        assertThat(a.session().isLive(2)).isFalse();
        environment.pass(Duration.ofSeconds(8));
        int before = renewals(2);
        environment.pass(Duration.ofSeconds(3));
        assertThat(renewals(2)).isEqualTo(before);
        assertThat(a.listener().story()).isEmpty();
        assertThat(journal.of("register", 3)).isEmpty();
    }

    @Test
    void shouldSayWhyAJoinFailed() {
        joined("other").process().freeze();
        TestInstance a = instance("a");
        CompletableFuture<Long> join = a.session().join().toCompletableFuture();
        environment.await(
                "a is registered", () -> !journal.of("register done", 2).isEmpty());
        environment.partition(a.connection());
        environment.await("the join ends", join::isDone);
        assertThat(failure(join).code()).isIn(ErrorCode.UNAVAILABLE, ErrorCode.FENCED);

        // Alone, and cut off before it registers.
        TestInstance b = instance("b");
        environment.partition(b.connection());
        CompletableFuture<Long> cut = b.session().join().toCompletableFuture();
        environment.await("the join ends", cut::isDone);
        assertThat(failure(cut).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(b.session().outage(Duration.ZERO).orElse("")).contains("no lease for", "coordinator");
    }

    @Test
    void shouldTellOfAnOutageWhatKeepsItFromBeingLive() {
        TestInstance a = instance("a");
        environment.pass(Duration.ofSeconds(2));
        assertThat(a.session().outage(Duration.ofSeconds(3))).isEmpty();
        assertThat(a.session().outage(Duration.ofSeconds(1)).orElse("")).contains("the first join has not ended");
        a.join();
        assertThat(a.session().outage(Duration.ZERO)).isEmpty();
        environment.partition(a.connection());
        environment.pass(Duration.ofSeconds(3));
        assertThat(a.session().outage(Duration.ofSeconds(1))).isPresent();
    }

    @Test
    void shouldWaitLongerAfterEachLossAndAShortTimeAgainAfterALongLife() {
        TestInstance a = joined("a");
        Duration longest = Duration.ZERO;
        for (int i = 0; i < 8; i++) {
            longest = lossLasts(a);
        }
        assertThat(longest).isGreaterThan(Backoff.LONGEST.dividedBy(2));

        environment.pass(Times.DEFAULT.session().minusMillis(10));
        assertThat(lossLasts(a)).as("nearly as long as a session").isGreaterThan(Backoff.LONGEST.dividedBy(2));

        environment.pass(Times.DEFAULT.session());
        assertThat(lossLasts(a)).isLessThan(Backoff.FIRST.plusMillis(50));
        assertThat(lossLasts(a)).isLessThan(Backoff.FIRST.multipliedBy(2).plusMillis(50));
    }

    private Duration lossLasts(TestInstance a) {
        long epoch = a.session().epoch();
        long from = environment.clock().nanoTime();
        a.session().fencedByStore(epoch);
        environment.await("a is back", () -> a.session().epoch() > epoch);
        return Duration.ofNanos(environment.clock().nanoTime() - from);
    }

    @Test
    void shouldEndWhoWasAbsentBeforeItsOwnEpochWasLive() {
        TestInstance dead = joined("dead");
        TestInstance a = instance("a");
        dead.kill();
        ((MemoryCoordinator) dead.connection()).loseSession();
        a.join();
        environment.await(
                "dead is forgotten", () -> !a.session().view().members().containsKey(1L));
        assertThat(isAlive(environment, 1)).isFalse();
    }

    @Test
    void shouldLeaveWhileItJoins() {
        TestInstance other = joined("other");
        other.listener().drainLater();
        TestInstance a = instance("a");
        a.session().join();
        environment.await(
                "a is registered", () -> !journal.of("register done", 2).isEmpty());
        CompletableFuture<Void> left = a.session().leave().toCompletableFuture();
        CompletableFuture<Void> again = a.session().leave().toCompletableFuture();
        environment.await("a has left", left::isDone);
        assertThat(left).isCompleted();
        assertThat(again).isCompleted();
        assertThat(isAlive(environment, 2)).isFalse();
        environment.pass(Duration.ofSeconds(5));
        assertThat(a.listener().story()).isEmpty();
        assertThat(journal.of("register", 3)).isEmpty();
    }

    /** PROTOCOL: D7. A store that came back older answers again when the longest lease is over. */
    @Test
    void shouldNotJoinWithALeaseThatMayOutlastAnOlderStoresPause() {
        environment
                .store()
                .begin(0)
                .commit(List.of(new Mutation.Put(ConfirmedLeases.ROW)), Long.MAX_VALUE)
                .toCompletableFuture()
                .join();
        CompletableFuture<Long> tooLong = join(ConfirmedLeases.LONGEST.plusMillis(1));
        environment.await("it is refused", tooLong::isDone);
        assertThat(failure(tooLong)).hasMessageContaining("lower times.leaseMillis to at most 5000");
        CompletableFuture<Long> longest = join(ConfirmedLeases.LONGEST);
        environment.await("it has joined", longest::isDone);
        assertThat(longest).isCompleted();
    }

    private CompletableFuture<Long> join(Duration lease) {
        TestInstance parts = instance("with " + lease);
        EpochSession session = new EpochSession(
                new InstanceIdentity(0, "with " + lease),
                new SessionContext(
                        parts.coordinator(),
                        parts.channel(),
                        environment.store(),
                        environment.clock(),
                        Times.from((name, otherwise) -> name.equals("lease") ? lease : otherwise)));
        session.attach(parts.listener());
        return session.join().toCompletableFuture();
    }

    @Test
    void shouldTakeOneListenerAndNoJoinWithoutIt() {
        TestInstance a = instance("a");
        assertThatThrownBy(() -> a.session().attach(a.listener())).isInstanceOf(IllegalStateException.class);
        EpochSession bare = new EpochSession(
                new InstanceIdentity(0, "bare"),
                new SessionContext(
                        a.coordinator(), a.channel(), environment.store(), environment.clock(), environment.times()));
        assertThatThrownBy(bare::join).isInstanceOf(IllegalStateException.class);
    }
}
