package io.lambdafs.cluster.settings;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.terminal.CommandFailure;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsChangeTest {
    private static final ClusterDirectory DIRECTORY = new ClusterDirectory(Path.of("/cluster"));
    private static final ClusterSettings BEFORE = with("", "logLevel", "INFO");

    private static ClusterSettings with(String group, String key, String value) {
        ObjectNode keys = Json.object();
        ObjectNode in = group.isEmpty() ? keys : keys.putObject(group);
        if (value.matches("[0-9]+")) {
            in.put(key, Long.parseLong(value));
        } else {
            in.put(key, value);
        }
        return SettingsFile.over(ClusterSettings.defaults("me", new Machine(2, 8_192)))
                .with(keys, "test")
                .settings();
    }

    /** One that fences waits for the other's lease as if it were its own. */
    @ParameterizedTest
    @CsvSource({
        "times, leaseMillis, 5000",
        "times, ackWaitMillis, 2000",
        "'', coordinator, store",
        "'', inv, relayed",
        "'', transport, kryonet"
    })
    void shouldRefuseWhatRunningInstancesWouldNotFollow(String group, String key, String value) {
        ClusterSettings now = with(group, key, value);
        assertThatThrownBy(() -> SettingsChange.checkWhileRunning(DIRECTORY, BEFORE, now))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContainingAll("a lease of 1800 ms", "stop it to change them");
    }

    @Test
    void shouldTakeWhatConcernsOnlyWhatStartsNext() {
        assertThatCode(() -> SettingsChange.checkWhileRunning(DIRECTORY, BEFORE, with("pool", "prewarm", "0")))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldSayWhetherItRunsWithTls() {
        ObjectNode keys = Json.object();
        keys.putObject("tls").put("enabled", true);
        ClusterSettings secured = SettingsFile.over(BEFORE).with(keys, "test").settings();
        assertThatThrownBy(() -> SettingsChange.checkWhileRunning(DIRECTORY, BEFORE, secured))
                .hasMessageContaining(" ms and no TLS, ");
        assertThatThrownBy(() -> SettingsChange.checkWhileRunning(DIRECTORY, secured, BEFORE))
                .hasMessageContaining(" ms and TLS, ");
    }
}
