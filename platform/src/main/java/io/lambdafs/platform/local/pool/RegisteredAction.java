package io.lambdafs.platform.local.pool;

import io.lambdafs.platform.ActionSpec;

/**
 * A registered action and its revision. Immutable.
 *
 * @param revision counts updates from 1; OpenWhisk shows it as {@code 0.0.N}
 * @param updatedMillis time of its last put, milliseconds since 1970
 */
public record RegisteredAction(ActionSpec spec, int revision, long updatedMillis) {
    public String name() {
        return spec.name();
    }

    public String version() {
        return "0.0." + revision;
    }
}
