package io.lambdafs.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClientSettingsTest {
    @Test
    void shouldTellWhyNothingWasSentUntilTheServerHasProvedItself() {
        ClientSettings settings = new ClientSettings(null);
        assertThat(settings.refusal()).isNull();
        assertThat(settings.refused("no proof")).isEqualTo("no proof");
        assertThat(settings.refusal()).isEqualTo("no proof");
        settings.proved();
        assertThat(settings.refusal()).isNull();
    }
}
