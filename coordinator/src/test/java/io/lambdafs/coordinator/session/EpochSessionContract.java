package io.lambdafs.coordinator.session;

import static io.lambdafs.coordinator.testkit.TestInstance.isAlive;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.testkit.Environment;
import io.lambdafs.coordinator.testkit.Journal;
import io.lambdafs.coordinator.testkit.TestInstance;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.instance.Deployments;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How instances live together (PROTOCOL: E1, E2, E3, E4), over any coordinator. Instances are called a, b, c in the
 * order in which they join.
 */
public abstract class EpochSessionContract {
    protected final Journal journal = new Journal();
    private final List<TestInstance> instances = new ArrayList<>();
    protected Environment environment;

    protected abstract Environment createEnvironment() throws Exception;

    @BeforeEach
    void createInstances() throws Exception {
        environment = createEnvironment();
    }

    @AfterEach
    void closeInstances() {
        instances.forEach(TestInstance::close);
        environment.close();
    }

    protected TestInstance instance(String name) {
        TestInstance instance = new TestInstance(environment, name, journal);
        instances.add(instance);
        return instance;
    }

    protected TestInstance joined(String name) {
        TestInstance instance = instance(name);
        instance.join();
        return instance;
    }

    private static Set<Long> epochs(TestInstance instance) {
        return instance.session().view().members().keySet();
    }

    @Test
    void shouldJoinUnderRisingEpochsThatAreAliveInTheStore() {
        TestInstance a = instance("a");
        long first = a.join();
        long second = joined("b").session().epoch();

        assertThat(first).isPositive();
        assertThat(second).isGreaterThan(first);
        assertThat(a.session().isLive(first)).isTrue();
        assertThat(a.session().isLive(second)).isFalse();
        assertThat(isAlive(environment, first)).isTrue();
        assertThat(isAlive(environment, second)).isTrue();
        assertThat(a.listener().story()).containsExactly("joined " + first);
    }

    @Test
    void shouldTellTheOthersWhetherItCaches() {
        TestInstance a = joined("a");
        TestInstance b = instance("b");
        b.listener().cacheNothing();
        b.join();
        TestInstance c = joined("c");

        for (TestInstance each : List.of(a, b, c)) {
            assertThat(each.session().view().members().get(a.session().epoch()).caches())
                    .isTrue();
            assertThat(each.session().view().members().get(b.session().epoch()).caches())
                    .isFalse();
        }
    }

    private void resize(int deployments) {
        environment.await(Deployments.change(environment.store(), deployments));
    }

    private void format() {
        environment.await(environment
                .store()
                .begin(0)
                .commit(
                        List.of(
                                new Mutation.Put(FormatLevel.NEWEST.row()),
                                new Mutation.Put(new Row(Deployments.NUMBER, "1"))),
                        Long.MAX_VALUE));
    }

    @Test
    void shouldServeUnderALaterGenerationOnlyWhenNobodyServesUnderAnEarlierOne() {
        format();
        TestInstance a = joined("a");
        long first = a.session().epoch();
        assertThat(a.session().placement()).isEqualTo(new Placement(0, 1));
        resize(2);
        TestInstance b = instance("b");
        AtomicReference<Boolean> beside = new AtomicReference<>();
        b.listener().onJoined(epoch -> beside.set(a.isLiveUnder(first)));

        b.join();

        assertThat(beside.get()).isFalse();
        assertThat(b.session().placement()).isEqualTo(new Placement(1, 2));
        environment.await(
                "the process goes on under the new one", () -> a.session().epoch() > first);
        assertThat(isAlive(environment, first)).isFalse();
        assertThat(a.session().placement()).isEqualTo(new Placement(1, 2));
        assertThat(a.member().generation()).isEqualTo(1);
        environment.await(
                "both know each other",
                () -> epochs(b).contains(a.session().epoch())
                        && epochs(a).contains(b.session().epoch()));
    }

    @Test
    void shouldFindOutByItselfThatTheNumberOfDeploymentsWasChanged() {
        format();
        TestInstance a = joined("a");
        long first = a.session().epoch();
        resize(3);

        environment.await("it joins anew", () -> a.session().epoch() > first);

        assertThat(a.session().placement()).isEqualTo(new Placement(1, 3));
    }

    @Test
    void shouldReturnTheLiveEpochWhenAskedToJoinAgain() {
        TestInstance a = joined("a");

        assertThat(a.join()).isEqualTo(a.session().epoch());
        assertThat(a.listener().story()).hasSize(1);
    }

    @Test
    void shouldBeInEveryViewBeforeItIsLive() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        TestInstance c = instance("c");
        AtomicReference<List<Set<Long>>> views = new AtomicReference<>();
        c.listener().onJoined(epoch -> views.set(List.of(epochs(a), epochs(b), epochs(c))));

        long epoch = c.join();

        assertThat(views.get()).hasSize(3).allSatisfy(view -> assertThat(view).contains(epoch));
        assertThat(epochs(c)).contains(a.session().epoch(), b.session().epoch());
    }

    @Test
    void shouldKnowEachOtherWhenTwoJoinAtOnce() {
        TestInstance a = instance("a");
        TestInstance b = instance("b");
        CompletionStage<Long> first = a.session().join();
        CompletionStage<Long> second = b.session().join();

        environment.await(
                "both are live", () -> a.session().epoch() != 0 && b.session().epoch() != 0);

        assertThat(epochs(a)).contains(environment.await(second));
        assertThat(epochs(b)).contains(environment.await(first));
    }

    @Test
    void shouldDeliverAnInvalidationToEveryTarget() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        TestInstance c = joined("c");

        environment.await(a.invalidate(b.member(), c.member()));

        // Where the machine is busy it may be sent a second time.
        Invalidation delivered = b.listener().invalidations().get(0);
        assertThat(b.listener().invalidations()).containsOnly(delivered);
        assertThat(c.listener().invalidations()).isNotEmpty().containsOnly(delivered);
        assertThat(delivered.epoch()).isEqualTo(a.session().epoch());
    }

    @Test
    void shouldAskAgainWhileATargetDrains() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        var drained = b.listener().drainLater();

        var round = a.invalidate(b.member()).toCompletableFuture();
        environment.await(
                "asked three times", () -> b.listener().invalidations().size() >= 3);
        assertThat(round).isNotDone();
        drained.complete(null);
        environment.await(round);

        assertThat(b.listener().story()).as("never fenced").hasSize(1);
    }

    @Test
    void shouldLeaveWithoutBeingFenced() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member left = b.member();

        environment.await(b.session().leave());

        assertThat(b.session().epoch()).isZero();
        assertThat(b.session().isLive(left.epoch())).isFalse();
        assertThat(b.listener().story()).containsExactly("joined " + left.epoch(), "ended " + left.epoch());
        assertThat(isAlive(environment, left.epoch())).isFalse();
        environment.await("a knows", () -> !epochs(a).contains(left.epoch()));
        environment.await(a.invalidate(left));
        assertThat(journal.of("refuse", left.epoch())).isEmpty();
    }

    @Test
    void shouldJoinAgainAfterItLeft() {
        TestInstance a = instance("a");
        long first = a.join();
        environment.await(a.session().leave());

        long second = a.join();

        assertThat(second).isGreaterThan(first);
        assertThat(a.session().isLive(second)).isTrue();
        assertThat(a.listener().story()).containsExactly("joined " + first, "ended " + first, "joined " + second);
    }

    @Test
    void shouldFenceATargetThatDoesNotAnswer() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        Member frozen = b.member();
        b.process().freeze();

        environment.await(a.invalidate(frozen));

        assertThat(isAlive(environment, frozen.epoch())).isFalse();
        assertThat(epochs(a)).doesNotContain(frozen.epoch());
        assertThat(b.session().isLive(frozen.epoch()))
                .as("lease, without any timer")
                .isFalse();
    }

    @Test
    void shouldComeBackUnderANewEpochAfterAThaw() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        long before = b.session().epoch();
        b.process().freeze();
        environment.await(a.invalidate(b.member()));

        b.process().thaw();
        environment.await("b is back", () -> b.session().epoch() > before);

        assertThat(b.listener().story().subList(0, 2)).containsExactly("joined " + before, "ended " + before);
        assertThat(epochs(a)).contains(b.session().epoch());
    }

    @Test
    void shouldFenceAMemberThatDoesNotAnswerANewcomer() {
        TestInstance a = joined("a");
        long silent = a.session().epoch();
        a.process().freeze();

        TestInstance b = joined("b");

        assertThat(isAlive(environment, silent)).isFalse();
        environment.await(
                "b is alone", () -> epochs(b).equals(Set.of(b.session().epoch())));
        a.process().thaw();
        environment.await("a is back", () -> a.session().epoch() > silent);
        environment.await("b knows it", () -> epochs(b).contains(a.session().epoch()));
    }

    @Test
    void shouldJoinAgainWhenItsRenewalsAreRefused() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        long before = b.session().epoch();

        environment.await(a.coordinator().refuseRenewals(before));
        environment.await("b is back", () -> b.session().epoch() > before);

        assertThat(isAlive(environment, before)).isFalse();
        assertThat(b.listener().story()).contains("ended " + before);
    }

    @Test
    void shouldJoinAgainWhenItsCoordinatorSessionIsLost() {
        joined("a");
        TestInstance b = joined("b");
        long before = b.session().epoch();

        environment.loseSession(b.connection());
        environment.await("b is back", () -> b.session().epoch() > before);

        assertThat(isAlive(environment, before)).isFalse();
        assertThat(b.listener().story()).contains("ended " + before);
    }

    @Test
    void shouldJoinAgainWhenTheStoreSaysThatItIsFenced() {
        TestInstance a = joined("a");
        long before = a.session().epoch();
        environment.await(environment.store().fence(before));

        a.session().fencedByStore(before);

        assertThat(a.session().isLive(before)).isFalse();
        environment.await("a is back", () -> a.session().epoch() > before);
    }

    @Test
    void shouldFenceADeadMemberInTheBackground() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        long dead = b.session().epoch();
        b.kill();

        environment.loseSession(b.connection());
        environment.await("a forgets b", () -> !epochs(a).contains(dead));

        assertThat(isAlive(environment, dead)).isFalse();
    }

    @Test
    void shouldKillAnEpochInTheStoreBeforeTheMembershipForgetsIt() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        TestInstance c = joined("c");
        long fenced = b.session().epoch();
        long left = c.session().epoch();

        environment.await(a.session().fence(b.member()));
        environment.await(c.session().leave());

        for (long epoch : List.of(fenced, left)) {
            assertThat(journal.indexOf("kill done", epoch))
                    .isNotNegative()
                    .isLessThan(journal.indexOf("forget", epoch));
        }
    }
}
