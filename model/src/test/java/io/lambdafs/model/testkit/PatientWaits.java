package io.lambdafs.model.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets every wait of Awaitility last until its condition holds, on however busy a machine: what hangs is ended by the
 * time limit of a test, which is set for all in the root POM. JUnit finds it by itself. Stateless.
 */
public final class PatientWaits implements BeforeAllCallback {
    /** Longer than any test may take. */
    public static final Duration PATIENCE = Duration.ofHours(2);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
