package io.lambdafs.cluster;

import io.lambdafs.cluster.dump.Copy;
import io.lambdafs.cluster.process.Readiness;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.settings.StoreSettings;
import io.lambdafs.cluster.store.StoreAccess;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Runs a second store with new settings next to a serving cluster's, for a migration. Single use, confined to one
 * thread.
 */
final class StoreMove {
    private final LocalCluster cluster;
    private final ClusterSettings now;
    private final ClusterSettings target;
    private final Readiness readiness;

    StoreMove(LocalCluster cluster, ClusterSettings now, ClusterSettings target, Readiness readiness) {
        this.cluster = cluster;
        this.now = now;
        this.target = target;
        this.readiness = readiness;
    }

    /** Runs the steps; on return the new store is complete and stopped, as are the cluster's gateway and datanodes. */
    void run(LocalCluster.MoveSteps steps) {
        demandAnother();
        try {
            // A killed migration has left them.
            cluster.stopOnly(LocalCluster.beside(now));
            new StoreAlone(cluster, target, readiness).start(Service.BESIDE, databases());
            ClusterDirectory directory = cluster.directory();
            List<Integer> port = List.of(cluster.port(Service.BESIDE));
            StoreAccess.of(directory, now, cluster.storePorts(now)).with(from -> {
                StoreAccess.of(directory, target, port).with(to -> {
                    steps.whileServing(from, to);
                    cluster.stopServing();
                    steps.whileStopped(from, to);
                    return true;
                });
                return true;
            });
        } finally {
            cluster.stopOnly(started());
        }
    }

    /**
     * Makes the store a file system if the migration to it is complete, and renames the data that the cluster then no
     * longer uses, unchanged. The next start repeats it after an interruption.
     */
    static boolean arrive(ClusterDirectory directory, ClusterSettings settings, List<Integer> storePorts) {
        return StoreAccess.of(directory, settings, storePorts).with(store -> {
            if (!Copy.isWhole(store)) {
                return false;
            }
            setAside(directory, settings.store());
            Copy.publish(store);
            return true;
        });
    }

    private static void setAside(ClusterDirectory directory, StoreSettings store) {
        String when = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)
                .format(ZonedDateTime.now(ZoneId.systemDefault()));
        for (String folder : List.of("store", Service.POSTGRES.label(), Service.NDB.label())) {
            Path data = directory.data(folder);
            if (!store.isIn(folder) && Files.exists(data)) {
                try {
                    Files.move(data, data.resolveSibling(data.getFileName() + "-" + when));
                } catch (IOException e) {
                    throw CommandFailure.ofFile("cannot rename " + data, e);
                }
            }
        }
    }

    private void demandAnother() {
        StoreSettings before = now.store();
        StoreSettings after = target.store();
        boolean same = before.engine().equals(after.engine())
                && before.jdbcUrl().equals(after.jdbcUrl())
                && before.ndbConnect().equals(after.ndbConnect());
        if (same) {
            throw FsException.invalidArgument(
                    "the metadata are there already: name another engine, or another database");
        }
        if (before.engine().equals(after.engine())
                && before.jdbcUrl().isEmpty() != after.jdbcUrl().isEmpty()) {
            throw FsException.invalidArgument(
                    "from a database of the cluster's own to another one of the same kind, or back, goes by "
                            + Launcher.command("dump") + " and " + Launcher.command("load"));
        }
    }

    private List<Service> databases() {
        return target.services().stream()
                .filter(each -> each.isDatabase() && !now.services().contains(each))
                .toList();
    }

    private List<Service> started() {
        return Stream.concat(Stream.of(Service.BESIDE), databases().stream()).toList();
    }
}
