package io.lambdafs.cluster.settings;

import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;

/** Checks changes of settings: some settings are fixed at the first start, others while the cluster runs. Stateless. */
public final class SettingsChange {
    private SettingsChange() {}

    /**
     * Refuses another engine, another kind of credentials, and another file system or number of deployments.
     *
     * @throws FsException {@code INVALID_ARGUMENT}
     */
    public static void checkFixed(ClusterDirectory directory, ClusterSettings before, ClusterSettings now) {
        if (!before.store().engine().equals(now.store().engine())) {
            throw FsException.invalidArgument("the cluster in " + directory + " keeps its metadata in the engine "
                    + before.store().engine() + ": that is fixed; use another directory");
        }
        if (before.insecure() != now.insecure()) {
            throw FsException.invalidArgument("the cluster in " + directory + " was made "
                    + (before.insecure() ? "insecure" : "with a secret") + ": that is fixed; use another directory");
        }
        if (before.deployments() != now.deployments() || !before.fileSystem().equals(now.fileSystem())) {
            throw FsException.invalidArgument(
                    "the file system in " + directory + " was formatted as \"" + before.fileSystem() + "\" with "
                            + before.deployments() + " deployments: its name is fixed, and the number is changed by "
                            + Launcher.command("cluster", "resize"));
        }
    }

    /**
     * Refuses changes that running instances would not follow: old and new ones could not find each other, or would
     * not wait for each other's leases.
     *
     * @throws CommandFailure {@code INVALID_ARGUMENT}
     */
    public static void checkWhileRunning(ClusterDirectory directory, ClusterSettings before, ClusterSettings now) {
        boolean same = before.coordinator().equals(now.coordinator())
                && before.zookeeper().equals(now.zookeeper())
                && before.inv().equals(now.inv())
                && before.transport().equals(now.transport())
                && before.times().equals(now.times())
                && before.distance().equals(now.distance())
                && before.tls().equals(now.tls());
        if (!same) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    ErrorCode.INVALID_ARGUMENT,
                    "the cluster in " + directory + " runs with coordinator " + before.coordinator()
                            + (before.zookeeper().isEmpty() ? "" : " at " + before.zookeeper()) + ", inv "
                            + before.inv() + ", transport " + before.transport() + ", an ACK wait of "
                            + before.times().ackWaitMillis() + " ms and a lease of "
                            + before.times().leaseMillis() + " ms"
                            + (before.tls().enabled() ? " and TLS" : " and no TLS")
                            + ", and emulates this distance: "
                            + before.distance().describe() + "; stop it to change them");
        }
    }
}
