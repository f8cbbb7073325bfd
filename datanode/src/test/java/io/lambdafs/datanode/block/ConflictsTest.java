package io.lambdafs.datanode.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConflictsTest {
    private final List<Long> pauses = new ArrayList<>();
    private final AtomicInteger tries = new AtomicInteger();

    private Runnable failing(int times, ErrorCode code) {
        return () -> {
            if (tries.incrementAndGet() <= times) {
                throw new FsException(code, "try " + tries.get());
            }
        };
    }

    @Test
    void shouldRepeatWhatCollidesWithLongerAndLongerPauses() {
        Conflicts.repeat(failing(Conflicts.TRIES - 1, ErrorCode.STORE_CONFLICT), pauses::add);

        assertThat(tries).hasValue(Conflicts.TRIES);
        assertThat(pauses).containsExactly(100L, 200L, 400L, 800L);
    }

    @Test
    void shouldGiveUpWithTheLastFailure() {
        Runnable request = failing(1_000, ErrorCode.STORE_CONFLICT);
        assertThatThrownBy(() -> Conflicts.repeat(request, pauses::add)).hasMessage("try " + Conflicts.TRIES);
        assertThat(pauses).hasSize(Conflicts.TRIES - 1);
    }

    @Test
    void shouldNotRepeatWhatFailedForAnotherReason() {
        Runnable request = failing(1, ErrorCode.ALREADY_EXISTS);
        assertThatThrownBy(() -> Conflicts.repeat(request, pauses::add)).hasMessage("try 1");
        assertThat(pauses).isEmpty();
    }

    @Test
    void shouldWaitAtLeastHalfOfThePause() {
        long begun = System.nanoTime();
        Conflicts.repeat(failing(1, ErrorCode.STORE_CONFLICT));

        assertThat(tries).hasValue(2);
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
    }

    @Test
    void shouldEndWithTheConflictOnAThreadThatIsToEnd() {
        Thread.currentThread().interrupt();
        Runnable request = failing(1, ErrorCode.STORE_CONFLICT);

        assertThatThrownBy(() -> Conflicts.repeat(request)).hasMessage("try 1");

        assertThat(Thread.interrupted()).isTrue();
    }
}
