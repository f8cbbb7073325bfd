package io.lambdafs.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.testkit.Journal;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.coordinator.testkit.TestInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances on a machine so busy that every answer takes as long as a wait of the protocol: they join, late. PROTOCOL: E1, E4. */
class SlowMachineTest {
    private static final int INSTANCES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Journal journal = new Journal();
    private final List<TestInstance> instances = new ArrayList<>();
    private SimulatedEnvironment environment = new SimulatedEnvironment(1);

    @AfterEach
    void close() {
        instances.forEach(TestInstance::close);
        environment.close();
    }

    private TestInstance instance(String name) {
        TestInstance made = new TestInstance(environment, name, journal);
        instances.add(made);
        return made;
    }

    private long registrations() {
        return LongStream.range(1, 1_000)
                .filter(epoch -> !journal.of("register", epoch).isEmpty())
                .count();
    }

    private boolean allAreLive() {
        return instances.stream()
                .allMatch(each -> each.session().isLive(each.session().epoch()));
    }

    private boolean becomeLiveWithin(Duration limit) {
        for (long ms = 0; ms < limit.toMillis() && !allAreLive(); ms++) {
            environment.pass(Duration.ofMillis(1));
        }
        return allAreLive();
    }

    /** Acknowledgements take longer than the ACK wait, so that at first each takes the others for dead. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldNotFenceEachOtherInTurn(long seed) {
        environment.close();
        environment = new SimulatedEnvironment(seed);
        environment.setLatency(Duration.ofMillis(200));
        environment.network().setLatency(Duration.ofMillis(400));
        for (int i = 0; i < INSTANCES; i++) {
            instance("i" + i).session().join();
        }
        assertThat(becomeLiveWithin(PATIENCE)).as("all are live").isTrue();
        long epochs = registrations();
        environment.pass(Duration.ofSeconds(30));
        assertThat(allAreLive()).as("still").isTrue();
        assertThat(registrations()).as("no further joins").isEqualTo(epochs);
    }

    /** Fencing a dead member takes longer than a lease, and meanwhile every renewal is answered after one. */
    @Test
    void shouldJoinAtTheFirstAttemptHoweverLongItsFencingTakes() {
        TestInstance dead = instance("dead");
        dead.join();
        dead.process().freeze();
        instances.clear();
        TestInstance a = instance("a");
        a.session().join();
        environment.await(
                "a is registered", () -> !journal.of("register done", 2).isEmpty());
        environment.setLatency(Duration.ofMillis(450));
        environment.pass(Duration.ofMillis(2_500));
        environment.setLatency(Duration.ofMillis(2));
        assertThat(becomeLiveWithin(Duration.ofSeconds(5))).isTrue();
        assertThat(a.session().epoch()).as("its first").isEqualTo(2);
    }
}
