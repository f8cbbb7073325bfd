package io.lambdafs.client.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.ManualScheduler;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrationsTest {
    private final ManualScheduler scheduler = new ManualScheduler();
    private final Registrations registrations = new Registrations(scheduler, ManualScheduler.seeded(3));

    @Test
    void shouldRedeemOnceOnly() {
        String registration = registrations.issue(2);

        assertThat(registrations.redeem(2, registration)).isTrue();
        assertThat(registrations.redeem(2, registration)).isFalse();
    }

    @Test
    void shouldRefuseOtherDeployment() {
        assertThat(registrations.redeem(1, registrations.issue(2))).isFalse();
    }

    @Test
    void shouldRefuseAfterThirtySeconds() {
        String early = registrations.issue(0);
        String late = registrations.issue(0);

        scheduler.advance(Registrations.LIFETIME.minusMillis(1));
        assertThat(registrations.redeem(0, early)).isTrue();
        scheduler.advance(Duration.ofMillis(1));
        assertThat(registrations.redeem(0, late)).isFalse();
    }

    @Test
    void shouldRefuseRightIdWithWrongSecretAndUseItUp() {
        String registration = registrations.issue(0);
        char last = registration.charAt(48);
        String wrong = registration.substring(0, 48) + (last == '0' ? '1' : '0');

        assertThat(registrations.redeem(0, wrong)).isFalse();
        assertThat(registrations.redeem(0, registration)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "x", "zzzzzzzzzzzzzzzz.00000000000000000000000000000000"})
    void shouldRefuseMalformedText(String text) {
        registrations.issue(0);

        assertThat(registrations.redeem(0, text)).isFalse();
    }

    @Test
    void shouldDisplaceOldestBeyondTheBound() {
        String oldest = registrations.issue(0);
        String second = registrations.issue(0);
        for (int i = 0; i < Registrations.MAX - 1; i++) {
            registrations.issue(0);
        }

        assertThat(registrations.redeem(0, oldest)).isFalse();
        assertThat(registrations.redeem(0, second)).isTrue();
    }

    @Test
    void shouldForgetWhatIsWithdrawn() {
        String registration = registrations.issue(0);
        registrations.withdraw(registration);

        assertThat(registrations.redeem(0, registration)).isFalse();
    }
}
