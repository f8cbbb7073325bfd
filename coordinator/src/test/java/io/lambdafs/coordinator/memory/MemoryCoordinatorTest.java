package io.lambdafs.coordinator.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.CoordinatorContract;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.View;
import io.lambdafs.coordinator.testkit.Environment;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.model.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryCoordinatorTest extends CoordinatorContract {
    @Override
    protected Environment createEnvironment() {
        return new SimulatedEnvironment(1);
    }

    @Test
    void shouldBeUnavailableWhileCutOffAndAbsentAfterTheSessionTimeOut() {
        await(one.register(member(1)));
        MemoryCoordinator cut = (MemoryCoordinator) one;

        cut.partition();

        assertFails(one.renew(1), ErrorCode.UNAVAILABLE);
        assertThat(await(two.members()).absent()).isEmpty();
        ((SimulatedEnvironment) environment).pass(environment.times().session());
        assertThat(await(two.members()).absent()).containsExactly(1L);
        cut.heal();
        assertFails(one.renew(1), ErrorCode.FENCED);
    }

    @Test
    void shouldReportWhatChangedWhileItWasCutOff() {
        SimulatedEnvironment simulation = (SimulatedEnvironment) environment;
        await(two.register(member(2)));
        List<View> views = new ArrayList<>();
        List<String> letters = new ArrayList<>();
        two.watch(views::add);
        two.mailboxes().follow(Set.of(2L), (letter, content) -> letters.add(letter.name()));
        simulation.pass(Duration.ofMillis(20));
        ((MemoryCoordinator) two).partition();
        await(one.register(member(1)));
        await(one.mailboxes().post(new Mailboxes.Letter(2, "one-1"), new byte[] {1}));
        simulation.pass(Duration.ofMillis(20));
        assertThat(letters).isEmpty();
        assertThat(views.get(views.size() - 1).members()).containsOnlyKeys(2L);

        ((MemoryCoordinator) two).heal();
        simulation.pass(Duration.ofMillis(20));
        assertThat(letters).contains("one-1");
        assertThat(views.get(views.size() - 1).members()).containsOnlyKeys(1L, 2L);
    }

    @Test
    void shouldLeaveNoTimerBehindACall() {
        await(one.register(member(1)));
        await(one.renew(1));
        assertThat(((SimulatedEnvironment) environment).clock().timers()).isZero();
    }
}
