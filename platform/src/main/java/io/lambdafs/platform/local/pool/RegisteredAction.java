package io.lambdafs.platform.local.pool;

import io.lambdafs.platform.ActionSpec;

/**
 * An action as the gateway holds it. Immutable.
 *
 * @param revision counts updates from 1; OpenWhisk shows it as {@code 0.0.N}
 * @param updatedMillis when it was last put, milliseconds since 1970
 */
public record RegisteredAction(ActionSpec spec, int revision, long updatedMillis) {
    public String name() {
        return spec.name();
    }

    public String version() {
        return "0.0." + revision;
    }
}
