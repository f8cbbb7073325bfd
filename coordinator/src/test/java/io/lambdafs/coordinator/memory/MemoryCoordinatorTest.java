package io.lambdafs.coordinator.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.CoordinatorContract;
import io.lambdafs.coordinator.testkit.Environment;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.model.ErrorCode;
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
}
