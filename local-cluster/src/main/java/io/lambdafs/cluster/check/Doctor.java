package io.lambdafs.cluster.check;

import io.lambdafs.cluster.ClusterStatus;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.model.FsException;
import java.util.ArrayList;
import java.util.List;

/**
 * Diagnoses a cluster, whether it is running, stopped or half started, without changing anything. Anything that cannot
 * be checked is reported as unknown, not as a fault. Stateless.
 */
public final class Doctor {
    private Doctor() {}

    /** A group of checks. */
    private interface Check {
        List<Finding> look();
    }

    /**
     * Runs all checks; takes some seconds if services do not answer.
     *
     * @param mayLose whether a standby that may lose acknowledged commits is acceptable
     */
    public static List<Finding> examine(LocalCluster cluster, boolean mayLose) {
        List<Finding> findings = new ArrayList<>();
        ClusterDirectory directory = cluster.directory();
        add(findings, "machine", () -> MachineChecks.look(directory));
        if (!directory.exists()) {
            findings.add(Finding.fault(
                    "directory",
                    "there is no cluster in " + directory,
                    "there is nothing else to look at",
                    "start one with " + Launcher.startOf(directory.root()) + ", or name another directory with --dir"));
            return findings;
        }
        ClusterSettings settings;
        try {
            settings = cluster.settings(LocalCluster.StartOptions.none());
        } catch (RuntimeException e) {
            findings.add(Finding.fault(
                    "settings",
                    String.valueOf(CommandFailure.of(e).getMessage()),
                    "nothing starts with them",
                    "correct " + directory.settingsInEffect()));
            return findings;
        }
        if (directory.isStarting()) {
            findings.add(Finding.fault(
                    "start",
                    "a start or load in " + directory + " is under way, or was not completed",
                    "some services may run and others not, and clients do not find them",
                    "wait for it, or repeat the load, or the start (" + Launcher.startOf(directory.root())
                            + "): both go on with its settings"));
        }
        add(findings, "files", () -> FileChecks.look(directory, settings));
        add(findings, "start", () -> SnapshotChecks.look(settings));
        List<ClusterStatus.ServiceState> services = new ClusterStatus(cluster).services();
        add(findings, "services", () -> ServiceChecks.look(cluster, settings, services));
        add(findings, "store", () -> StoreChecks.look(cluster, services));
        if (settings.store().isPostgres()) {
            add(findings, "database", () -> DatabaseChecks.look(cluster, mayLose));
        }
        if (settings.store().isNdb()) {
            add(findings, "ndb", () -> NdbChecks.look(cluster, settings.store(), services));
        }
        add(findings, "blocks", () -> BlockChecks.look(directory, settings));
        return findings;
    }

    /** Runs one group of checks, whose failure does not affect the others. */
    private static void add(List<Finding> findings, String name, Check check) {
        try {
            findings.addAll(check.look());
        } catch (RuntimeException e) {
            findings.add(Finding.unknown(
                    name, "could not be looked at: " + FsException.of(e).getMessage()));
        }
    }
}
