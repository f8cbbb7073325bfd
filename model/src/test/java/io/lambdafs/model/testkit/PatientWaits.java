package io.lambdafs.model.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets every wait of Awaitility last until its condition holds, on however busy a machine. A wait pays no heed to an
 * interrupt, by which JUnit ends a test at its time limit (in the root POM): so it ends a little sooner, and names its
 * condition. JUnit finds it by itself. Stateless.
 */
public final class PatientWaits implements BeforeAllCallback {
    /** Shorter than the time limit of a test. */
    public static final Duration PATIENCE = Duration.ofSeconds(280);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
