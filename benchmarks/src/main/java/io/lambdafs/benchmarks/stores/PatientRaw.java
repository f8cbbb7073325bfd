package io.lambdafs.benchmarks.stores;

import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.model.FsException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A database's own client that may be missing or fail; the rest of the measurement continues without it. Confined to
 * one thread.
 */
final class PatientRaw {
    private final Consumer<String> told;
    private @Nullable Raw raw;
    private @Nullable String failure;

    /** @param told receives at once the reason why the client is given up */
    PatientRaw(@Nullable Raw raw, Consumer<String> told) {
        this.raw = raw;
        this.told = told;
    }

    /** As {@link Raw#perSecond}; empty without a client. */
    Map<Kind, Double> perSecond(double seconds) throws InterruptedException {
        Raw client = raw;
        if (client != null) {
            try {
                return client.perSecond(seconds);
            } catch (CommandFailure | FsException e) {
                giveUp(e);
            }
        }
        return Map.of();
    }

    /** As {@link Raw#copy}; null without a client. */
    Raw.@Nullable Copied copy(long inodes, Path folder) throws InterruptedException {
        Raw client = raw;
        if (client != null) {
            try {
                return client.copy(inodes, folder);
            } catch (CommandFailure | FsException e) {
                giveUp(e);
            }
        }
        return null;
    }

    private void giveUp(RuntimeException why) {
        raw = null;
        failure = String.valueOf(why.getMessage());
        told.accept("the database's own client failed, and what follows is measured without it: " + failure);
    }

    /** Returns why the client was given up. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }
}
