package io.lambdafs.hammer.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

final class TurnTest {
    private final List<Boolean> loads = new ArrayList<>();

    /** An operation costs a millionth of a dollar, and every second one goes by HTTP; the warm-up is the costliest part. */
    private Load.Outcome load(boolean warmUp) {
        loads.add(warmUp);
        int done = warmUp ? 5_000 : 2_000;
        List<String> failures = Collections.nCopies(warmUp ? 3 : 9, warmUp ? "before" : "within");
        return new Load.Outcome(done, failures.size(), done / 2.0, 1, 2, 3, 4, failures);
    }

    private Readings readings() {
        long done = 0;
        for (boolean warmUp : loads) {
            done += warmUp ? 5_000 : 2_000;
        }
        return new Readings(done / 100, done / 200, 1, done / 400, done / 2, loads.size(), done * 1e-6);
    }

    @Test
    void shouldReckonEachOperationWithWhatItHasCostItself() throws Exception {
        Turn turn = TailCluster.counted(true, this::load, this::readings);
        assertThat(loads).containsExactly(true, false);
        assertThat(turn.outcome().operations()).isEqualTo(2_000);
        assertThat(turn.usdPerMillion()).isCloseTo(1, Assertions.within(1e-9));
        assertThat(turn.readings())
                .usingRecursiveComparison()
                .ignoringFields("usd")
                // The mode that began in the warm-up lasts.
                .isEqualTo(new Readings(20, 10, 1, 5, 1_000, 1, 0));
    }

    @Test
    void shouldTellOfFailuresInTheWarmUp() throws Exception {
        Load.Outcome outcome =
                TailCluster.counted(false, this::load, this::readings).outcome();
        assertThat(outcome.failed()).isEqualTo(12);
        assertThat(outcome.failures()).hasSize(10).startsWith("before", "before", "before", "within");
    }
}
