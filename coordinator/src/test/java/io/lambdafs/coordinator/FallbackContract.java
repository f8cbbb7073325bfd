package io.lambdafs.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.session.EpochSessionContract;
import io.lambdafs.coordinator.testkit.TestInstance;
import org.junit.jupiter.api.Test;

/** Further contract of channels that send directly first and by relay then. */
public abstract class FallbackContract extends EpochSessionContract {
    @Test
    void shouldNotFenceEachOtherWhenOnlyTheDirectWayIsCut() {
        TestInstance a = joined("a");
        TestInstance b = joined("b");
        long first = a.session().epoch();
        long second = b.session().epoch();
        environment.cutDirectWay("a");
        environment.cutDirectWay("b");

        var one = a.invalidate(b.member()).toCompletableFuture();
        var two = b.invalidate(a.member()).toCompletableFuture();
        environment.await(one);
        environment.await(two);

        assertThat(b.listener().invalidations()).isNotEmpty();
        assertThat(a.listener().invalidations()).isNotEmpty();
        assertThat(journal.of("refuse", first)).isEmpty();
        assertThat(journal.of("refuse", second)).isEmpty();
        assertThat(a.session().isLive(first)).isTrue();
        assertThat(b.session().isLive(second)).isTrue();
    }
}
