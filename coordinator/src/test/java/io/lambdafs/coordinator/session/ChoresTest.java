package io.lambdafs.coordinator.session;

import static io.lambdafs.coordinator.testkit.TestInstance.isAlive;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.testkit.Journal;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.coordinator.testkit.TestInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who leads the others in chores, and what the leader sweeps, in simulated time. */
class ChoresTest {
    private final SimulatedEnvironment simulation = new SimulatedEnvironment(1);
    private final List<TestInstance> instances = new ArrayList<>();

    private TestInstance instance(String name, boolean joined) {
        TestInstance instance = new TestInstance(simulation, name, new Journal());
        instances.add(instance);
        if (joined) {
            instance.join();
        }
        return instance;
    }

    @AfterEach
    void close() {
        instances.forEach(TestInstance::close);
        simulation.close();
    }

    @Test
    void shouldHaveOneLeaderThatIsTheLowestLiveEpoch() {
        TestInstance a = instance("a", true);
        TestInstance b = instance("b", true);
        long first = a.session().epoch();
        long second = b.session().epoch();
        assertThat(a.session().leadingEpoch()).isEqualTo(first);
        assertThat(b.session().leadingEpoch()).isZero();

        simulation.await(a.session().leave());
        simulation.await("b leads", () -> b.session().leadingEpoch() == second);
        a.join();

        assertThat(a.session().leadingEpoch()).as("comes back behind").isZero();
    }

    @Test
    void shouldHandOverTheLeadOnlyWhenTheLeaderIsOver() {
        TestInstance a = instance("a", true);
        TestInstance b = instance("b", true);
        a.process().freeze();
        simulation.partition(a.connection());

        for (int i = 0; i < 10_000 && b.session().leadingEpoch() == 0; i++) {
            simulation.pass(Duration.ofMillis(1));
            assertThat(a.session().leadingEpoch() != 0 && b.session().leadingEpoch() != 0)
                    .isFalse();
        }

        assertThat(b.session().leadingEpoch()).isEqualTo(b.session().epoch());
    }

    @Test
    void shouldSweepAnEpochWhoseInstanceCrashedBeforeItRegistered() {
        TestInstance a = instance("a", true);
        TestInstance b = instance("b", false);
        b.coordinator().silence();
        b.session().join();
        simulation.await("b has taken an epoch", () -> isAlive(simulation, 2));
        b.kill();

        simulation.await("the orphan is gone", () -> !isAlive(simulation, 2));

        assertThat(a.session().isLive(1)).isTrue();
        assertThat(isAlive(simulation, 1)).isTrue();
    }
}
