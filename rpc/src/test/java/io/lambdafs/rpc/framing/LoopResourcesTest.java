package io.lambdafs.rpc.framing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.rpc.message.Done;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a loop looks for an answer rather than to sleep, under a clock that the test moves. */
class LoopResourcesTest {
    private static final long LOOKOUT = 200;

    private long now = Long.MAX_VALUE - 100;
    private final LoopResources resources = new LoopResources((nanos, task) -> {}, () -> now);

    private PendingRequest sent(long lookoutNanos) {
        PendingRequest request = new PendingRequest(null, Done.DONE, TimeUnit.SECONDS.toNanos(1));
        request.lookoutNanos = lookoutNanos;
        resources.sent(request, now);
        return request;
    }

    @Test
    void shouldLookForNoAnswerThatMayTakeLong() {
        sent(0);
        assertThat(resources.isMessageNear()).isFalse();
    }

    @Test
    void shouldLookUntilTheLastAnswerHasCome() {
        PendingRequest first = sent(LOOKOUT);
        PendingRequest second = sent(LOOKOUT);
        assertThat(resources.isMessageNear()).isTrue();
        resources.over(first);
        resources.over(first);
        assertThat(resources.isMessageNear()).isTrue();
        resources.over(second);
        assertThat(resources.isMessageNear()).isFalse();
    }

    @Test
    void shouldLookForAnExpectedRequestUntilOneComesOrItIsLate() {
        resources.expectRequest(0);
        assertThat(resources.isMessageNear()).isFalse();
        resources.expectRequest(LOOKOUT);
        assertThat(resources.isMessageNear()).isTrue();
        resources.requestCame();
        assertThat(resources.isMessageNear()).isFalse();
        resources.expectRequest(LOOKOUT);
        now += LOOKOUT - 1;
        assertThat(resources.isMessageNear()).isTrue();
        now++;
        assertThat(resources.isMessageNear()).isFalse();
    }

    @Test
    void shouldStopLookingForAnAnswerThatIsLate() {
        sent(LOOKOUT);
        now += LOOKOUT - 1;
        assertThat(resources.isMessageNear()).isTrue();
        now++;
        assertThat(resources.isMessageNear()).isFalse();
        sent(LOOKOUT);
        assertThat(resources.isMessageNear()).isTrue();
    }
}
