package io.lambdafs.coordinator.session;

import static io.lambdafs.coordinator.testkit.TestInstance.isAlive;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.store.StoreEnvironment;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.FaultyEnvironment;
import io.lambdafs.coordinator.testkit.Journal;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.coordinator.testkit.TestInstance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Four instances under random faults for a minute of simulated time per seed, with the invariants of PROTOCOL that can be seen here
 * checked every millisecond: a live instance is in the view of every live instance (so no writer misses it), it is alive in the
 * store (I3), and a round that completed has left no target live that has not seen its INV (I2).
 * Sessions end only as they do in truth, by a partition that outlasts them.
 */
class EpochSessionSimulationTest {
    private static final int INSTANCES = 4;
    private static final Duration RUN = Duration.ofSeconds(60);

    private final Journal journal = new Journal();
    private final List<TestInstance> instances = new ArrayList<>();
    private final List<Sent> rounds = new ArrayList<>();
    private int completed;

    private record Sent(List<Member> targets, Invalidation invalidation, CompletableFuture<Void> round) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void shouldKeepTheInvariantsUnderRandomFaults(long seed) {
        run(seed, new SimulatedEnvironment(seed), 200);
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheInvariantsByAnyChannel(Channels channels) {
        for (long seed = 21; seed <= 24; seed++) {
            run(seed, new SimulatedEnvironment(seed, channels), 200);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void shouldKeepTheInvariantsOverTheStore(Channels channels) {
        for (long seed = 31; seed <= 36; seed++) {
            run(seed, new StoreEnvironment(seed, channels), 50);
        }
    }

    private void run(long seed, FaultyEnvironment faulty, int slowestMillis) {
        instances.clear();
        rounds.clear();
        completed = 0;
        Random random = new Random(seed);
        try (FaultyEnvironment environment = faulty) {
            for (int i = 0; i < INSTANCES; i++) {
                TestInstance instance = new TestInstance(environment, "i" + i, journal);
                instances.add(instance);
                instance.session().join();
            }
            for (long ms = 0; ms < RUN.toMillis(); ms++) {
                if (random.nextInt(60) == 0) {
                    disturb(environment, instances.get(random.nextInt(INSTANCES)), random);
                }
                if (random.nextInt(1_000) == 0) {
                    environment.setLatency(Duration.ofMillis(random.nextInt(slowestMillis)));
                }
                if (random.nextInt(20) == 0) {
                    write(instances.get(random.nextInt(INSTANCES)), ms);
                }
                environment.pass(Duration.ofMillis(1));
                check(environment, "seed " + seed + ", ms " + ms);
            }
            assertThat(completed).as("rounds that completed").isGreaterThan(50);
            heal(environment);
            environment.setLatency(Duration.ofMillis(2));
            environment.await(
                    "all are live again",
                    () -> instances.stream()
                            .allMatch(i -> i.session().isLive(i.session().epoch()) && knowsAll(i)));
        }
    }

    private void disturb(FaultyEnvironment environment, TestInstance it, Random random) {
        switch (random.nextInt(10)) {
            case 0 -> it.process().freeze();
            case 1, 2, 3 -> it.process().thaw();
            case 4 -> environment.direct(it.name()).isolate();
            case 5 -> environment.direct(it.name()).heal();
            case 6 -> environment.partition(it.connection());
            case 7, 8 -> environment.heal(it.connection());
            default ->
                it.session()
                        .leave()
                        .whenComplete((left, failure) -> it.session().join());
        }
    }

    private void heal(FaultyEnvironment environment) {
        for (TestInstance it : instances) {
            it.process().thaw();
            environment.direct(it.name()).heal();
            environment.heal(it.connection());
        }
    }

    private boolean knowsAll(TestInstance it) {
        return instances.stream()
                .allMatch(other -> it.session()
                        .view()
                        .members()
                        .containsKey(other.session().epoch()));
    }

    private void write(TestInstance writer, long number) {
        long epoch = writer.session().epoch();
        if (!writer.session().isLive(epoch)) {
            return;
        }
        List<Member> targets = writer.session().view().members().values().stream()
                .filter(member -> member.epoch() != epoch)
                .toList();
        Invalidation invalidation =
                new Invalidation(epoch, new Scope(List.of(FsPath.of("/f" + number)), List.of()), List.of());
        rounds.add(new Sent(
                targets,
                invalidation,
                writer.session().invalidate(targets, invalidation).toCompletableFuture()));
    }

    private void check(FaultyEnvironment environment, String when) {
        for (TestInstance x : instances) {
            long epoch = x.session().epoch();
            if (x.session().isLive(epoch)) {
                assertThat(isAlive(environment, epoch))
                        .as("I3, epoch %s, %s", epoch, when)
                        .isTrue();
                for (TestInstance y : instances) {
                    if (y.session().isLive(y.session().epoch())) {
                        assertThat(y.session().view().members())
                                .as(
                                        "epoch %s in the view of %s, %s",
                                        epoch, y.session().epoch(), when)
                                .containsKey(epoch);
                    }
                }
            }
        }
        rounds.removeIf(sent -> sent.round().isDone() && ended(sent, when));
    }

    private boolean ended(Sent sent, String when) {
        if (sent.round().isCompletedExceptionally()) {
            return true;
        }
        completed++;
        for (Member target : sent.targets()) {
            TestInstance it = instances.get(Integer.parseInt(target.instance().substring(1)));
            if (it.session().isLive(target.epoch())) {
                assertThat(it.listener().invalidations())
                        .as("I2, epoch %s, %s", target.epoch(), when)
                        .contains(sent.invalidation());
            }
        }
        return true;
    }
}
