package io.lambdafs.model.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimesTest {
    private static Times from(Map<String, Long> millis) {
        return Times.from((name, otherwise) ->
                millis.containsKey(name) ? Duration.ofMillis(millis.getOrDefault(name, 0L)) : otherwise);
    }

    @Test
    void shouldKeepTheDefaultsWhereTheyNestWithWhatIsSet() {
        Times times = from(Map.of("ackWait", 1_000L, "lease", 1_800L));

        assertThat(times.session()).isEqualTo(Times.DEFAULT.session());
        assertThat(times.lockWait()).isEqualTo(Times.DEFAULT.lockWait());
        assertThat(times.transaction()).isEqualTo(Times.DEFAULT.transaction());
        assertThat(times.attempt()).isEqualTo(Times.DEFAULT.attempt());
        assertThat(times.deadline()).isEqualTo(Times.DEFAULT.deadline());
    }

    /** A machine ten times too slow. */
    @ParameterizedTest
    @CsvSource({
        "10000, 5000, 15200, 17200, 19200, 10200",
        "3000, 1000, 4200, 6200, 8200, 4000",
        "1, 5000, 5201, 7201, 9201, 10200"
    })
    void shouldRaiseTheOthersWithTheAckWaitAndTheLease(
            long ackWait, long lease, long lockWait, long transaction, long attempt, long session) {
        Times times = from(Map.of("ackWait", ackWait, "lease", lease));

        assertThat(times.lockWait()).isEqualTo(Duration.ofMillis(lockWait));
        assertThat(times.transaction()).isEqualTo(Duration.ofMillis(transaction));
        assertThat(times.attempt()).isEqualTo(Duration.ofMillis(attempt));
        assertThat(times.session()).isEqualTo(Duration.ofMillis(session));
    }

    @Test
    void shouldRaiseWhatFollowsALimitThatIsSet() {
        Times times = from(Map.of("lockWait", 40_000L));

        assertThat(times.transaction()).isEqualTo(Duration.ofSeconds(42));
        assertThat(times.attempt()).isEqualTo(Duration.ofSeconds(44));
        assertThat(times.deadline()).isEqualTo(Duration.ofSeconds(88));
        assertThat(times.slotLife()).isEqualTo(Times.DEFAULT.slotLife());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ackWait | 1900 | lockWait | 3000 | ack wait + lease + drift (3000 ms) must be less than lock wait (3000 ms): raise lock wait, or lower ack wait + lease + drift",
                "lease | 4000 | session | 4000 | lease + drift (4100 ms) must be less than coordinator session (4000 ms): raise coordinator session",
                "lockWait | 9000 | transaction | 5000 | raise transaction limit, or lower lock wait",
                "attempt | 90000 | deadline | 60000 | raise deadline, or lower attempt",
                "ackWait | 0 | lease | 1000 | 0 (0 ms) must be less than ack wait (0 ms): raise ack wait",
                "drift | 500 | lease | 1000 | raise lease, or lower three times drift"
            })
    void shouldSayWhatToRaiseWhereTheyDoNotFit(String one, long millis, String other, long otherMillis, String why) {
        assertThatThrownBy(() -> from(Map.of(one, millis, other, otherMillis)))
                .isInstanceOf(FsException.class)
                .hasMessageContaining(why);
    }
}
