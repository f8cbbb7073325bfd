package io.lambdafs.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.transports.TransportKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReachTest {
    private static final TcpOffer OFFER = new TcpOffer("192.168.7.7", 4711, TransportKind.NETTY, "secret");

    private final ManualScheduler time = new ManualScheduler();
    private final Reach reach = new Reach(time);

    private void answer(int calls) {
        for (int i = 0; i < calls; i++) {
            reach.answered(OFFER);
        }
    }

    @Test
    void shouldOfferNoConnectionsForAWhileWhereNoneComes() {
        answer(8);
        assertThat(reach.mayOffer(false)).as("too soon to tell").isTrue();

        time.advance(Duration.ofSeconds(11));
        answer(1);

        assertThat(reach.mayOffer(false)).isFalse();
        time.advance(Duration.ofSeconds(59));
        assertThat(reach.mayOffer(false)).isFalse();
        time.advance(Duration.ofSeconds(2));
        assertThat(reach.mayOffer(false)).as("tries again").isTrue();
    }

    @Test
    void shouldWaitLongerEachTime() {
        answer(8);
        time.advance(Duration.ofSeconds(11));
        answer(1);
        time.advance(Duration.ofSeconds(61));
        assertThat(reach.mayOffer(false)).isTrue();
        answer(8);
        time.advance(Duration.ofSeconds(11));
        answer(1);

        time.advance(Duration.ofSeconds(100));

        assertThat(reach.mayOffer(false)).isFalse();
    }

    @Test
    void shouldOfferAgainOnceAConnectionStands() {
        answer(8);
        time.advance(Duration.ofSeconds(11));
        answer(1);

        assertThat(reach.mayOffer(true)).isTrue();
        assertThat(reach.mayOffer(false)).isTrue();
    }

    @Test
    void shouldNotConcludeFromFewCalls() {
        answer(3);
        time.advance(Duration.ofMinutes(1));
        answer(3);

        assertThat(reach.mayOffer(false)).isTrue();
    }
}
