package io.lambdafs.functions.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.openwhisk.StartTimes;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActionEnvironmentTest {
    private static ActionEnvironment with(String... pairs) {
        Map<String, String> variables = new HashMap<>(Map.of("LAMBDAFS_CONF", "/c.json"));
        for (int i = 0; i < pairs.length; i += 2) {
            variables.put(pairs[i], pairs[i + 1]);
        }
        return ActionEnvironment.of(variables);
    }

    @Test
    void shouldSupposeWhatIsNotGiven() {
        ActionEnvironment plain = with();
        assertThat(plain.port()).isEqualTo(8_080);
        assertThat(plain.key()).isNull();
        assertThat(plain.portFile()).isNull();
        assertThat(plain.configuration().file()).isEqualTo(Path.of("/c.json"));
        assertThat(plain.parentPid()).isEmpty();
        assertThat(plain.parentGraceMillis()).isEqualTo(30_000);
        assertThat(plain.instance()).matches("i[89a-f][0-9a-f]{15}").isNotEqualTo(with().instance());
        assertThat(plain.configuration().advertisedHost()).isNull();
        assertThat(plain.logMarkers()).isFalse();
    }

    @Test
    void shouldTakeWhatIsGiven() {
        ActionEnvironment full = with(
                "LAMBDAFS_ACTION_PORT", "0",
                "LAMBDAFS_ACTION_KEY", "a key that nobody guesses",
                "LAMBDAFS_ACTION_PORT_FILE", "/p",
                "LAMBDAFS_PARENT_PID", "17",
                "LAMBDAFS_PARENT_GRACE_MILLIS", "3600000",
                "LAMBDAFS_INSTANCE_ID", "i-7",
                "LAMBDAFS_ADVERTISED_HOST", "10.0.0.7",
                "LAMBDAFS_LOG_MARKERS", "true");
        assertThat(full.port()).isZero();
        assertThat(full.key()).isNotNull();
        assertThat(full.portFile()).isEqualTo(Path.of("/p"));
        assertThat(full.parentPid()).isEqualTo(OptionalLong.of(17));
        assertThat(full.parentGraceMillis()).isEqualTo(3_600_000);
        assertThat(full.instance()).isEqualTo("i-7");
        assertThat(full.configuration().advertisedHost()).isEqualTo("10.0.0.7");
        assertThat(full.logMarkers()).isTrue();
    }

    @Test
    void shouldTakeWhatIsEmptyForWhatIsNotGiven() {
        ActionEnvironment empty = with(
                "LAMBDAFS_ACTION_KEY", "",
                "LAMBDAFS_ACTION_PORT_FILE", "",
                "LAMBDAFS_PARENT_PID", "",
                "LAMBDAFS_INSTANCE_ID", "",
                "LAMBDAFS_ADVERTISED_HOST", "",
                "LAMBDAFS_LOG_MARKERS", "");
        assertThat(empty.key()).isNull();
        assertThat(empty.portFile()).isNull();
        assertThat(empty.parentPid()).isEmpty();
        assertThat(empty.instance()).startsWith("i");
        assertThat(empty.configuration().advertisedHost()).isNull();
        assertThat(empty.logMarkers()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "LAMBDAFS_ACTION_PORT,65536",
        "LAMBDAFS_ACTION_PORT,-1",
        "LAMBDAFS_ACTION_PORT,x",
        "LAMBDAFS_PARENT_PID,-1",
        "LAMBDAFS_PARENT_GRACE_MILLIS,3600001"
    })
    void shouldRefuseNumbersThatCannotBe(String name, String value) {
        assertThatThrownBy(() -> with(name, value))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining(name)
                .hasMessageContaining(value);
    }

    @Test
    void shouldTakeTheLargestPort() {
        assertThat(with("LAMBDAFS_ACTION_PORT", "65535").port()).isEqualTo(65_535);
    }

    @Test
    void shouldAskForAConfiguration() {
        for (Map<String, String> none : List.of(Map.<String, String>of(), Map.of("LAMBDAFS_CONF", ""))) {
            assertThatThrownBy(() -> ActionEnvironment.of(none)).hasMessageContaining("LAMBDAFS_CONF");
        }
    }

    @Test
    void shouldNoteWhenAStepWasReachedFirst() throws Exception {
        StartTimes times = new StartTimes(InstantSource.system());
        assertThat(times.json()).isEqualTo("{}");
        long before = System.currentTimeMillis() * 1_000;
        times.reached(StartTimes.Step.LISTENING);
        String first = times.json();
        assertThat(first).matches("\\{\"listening\":\\d+}");
        long at = Long.parseLong(first.replaceAll("\\D", ""));
        assertThat(at).isBetween(before, (System.currentTimeMillis() + 1) * 1_000);
        Thread.sleep(2);
        times.reached(StartTimes.Step.LISTENING);
        assertThat(times.json()).isEqualTo(first);
        times.reached(StartTimes.Step.MAIN);
        assertThat(times.json()).matches("\\{\"main\":\\d+,\"listening\":" + at + "}");
    }
}
