package io.lambdafs.client.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.message.Register;
import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ConnectionTableTest {
    private final ManualScheduler clock = new ManualScheduler();
    private final ConnectionTable table = new ConnectionTable();
    private final InstanceConnection refusing = connection(1);
    private final InstanceConnection other = connection(2);

    private InstanceConnection connection(long id) {
        return new InstanceConnection(new TablesLincheckTest.Idle(id), new Register(0, "i" + id, id, ""), clock);
    }

    private long timesPicked(InstanceConnection connection) {
        RandomGenerator random = new Random(1);
        long count = 0;
        for (int i = 0; i < 100; i++) {
            count += table.pick(0, 0, random) == connection ? 1 : 0;
        }
        return count;
    }

    @Test
    void shouldAskAgainWhoRefusedAWhileAgo() {
        table.add(refusing);
        table.add(other);
        assertThat(timesPicked(refusing)).isBetween(20L, 80L);
        for (int i = 0; i < 100; i++) {
            refusing.refusedOneTooMany();
        }
        assertThat(timesPicked(refusing)).isZero();
        assertThat(timesPicked(other)).isEqualTo(100);
        clock.advance(Duration.ofSeconds(1));
        assertThat(timesPicked(refusing)).isBetween(20L, 80L);
    }
}
