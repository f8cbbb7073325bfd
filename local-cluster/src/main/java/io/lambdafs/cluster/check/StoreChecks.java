package io.lambdafs.cluster.check;

import io.lambdafs.cluster.ClusterStatus;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.blocks.BlockReportSummary;
import io.lambdafs.cluster.blocks.OperatedCluster;
import io.lambdafs.cluster.gateway.Silence;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.Draining;
import io.lambdafs.store.format.Upgrade;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Doctor's checks of the store's content: its format level, instances of earlier builds, datanodes and their clocks.
 * Stateless.
 */
final class StoreChecks {
    private static final long CLOCK_TOLERANCE_MILLIS = 2_000;
    private static final long SILENT_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private StoreChecks() {}

    static List<Finding> look(LocalCluster cluster, List<ClusterStatus.ServiceState> services) {
        return IntStream.rangeClosed(1, Service.MOST_STORES)
                        .anyMatch(number -> ServiceChecks.runs(
                                services, Service.store(number).label()))
                ? look(cluster)
                : List.of(Finding.unknown("format", "the store does not run"));
    }

    /** Checks the store of any cluster, which must run. */
    static List<Finding> look(OperatedCluster cluster) {
        List<Finding> findings = new ArrayList<>();
        Upgrade.Plan plan = cluster.onStore("read the store's format level", Upgrade::plan);
        if (!plan.earlier().isEmpty()) {
            findings.add(Finding.fault(
                    "format",
                    plan.earlier().size() + " of " + plan.instances() + " instances are of an earlier build",
                    "the store's format level cannot be raised while they live",
                    "stop the cluster and start it with this build"));
        } else {
            findings.add(Finding.ok(
                    "format",
                    plan.isDone()
                            ? "level " + plan.to().number() + ", the newest of this build"
                            : "level " + plan.from().number() + "; "
                                    + Launcher.command("upgrade", "--finalize") + " brings "
                                    + plan.to().number()));
        }
        long before = System.currentTimeMillis();
        List<Datanode> datanodes = cluster.onStore("list the datanodes", Draining::list);
        long after = System.currentTimeMillis();
        for (Datanode each : datanodes) {
            if (each.state() == Datanode.State.SERVING) {
                findings.add(clock(each, before, after));
            }
        }
        BlockReportSummary.stores(cluster).stream()
                .filter(each -> each.faults() > 0)
                .map(StoreChecks::lost)
                .forEach(findings::add);
        return findings;
    }

    private static Finding lost(BlockReportSummary.OfStore reported) {
        return Finding.fault(
                "objects",
                reported.faults() + " blocks have no whole object in " + reported.store(),
                "their files cannot be read",
                Launcher.command("blocks", "report") + " names them; restore the objects, or delete the files");
    }

    /**
     * Checks a datanode's clock by its last heartbeat.
     *
     * @param before the time of the request to the store, and {@code after}: the time of its answer; the heartbeat may
     *     have come in between
     */
    static Finding clock(Datanode datanode, long before, long after) {
        String name = datanode.address().id();
        long ahead = datanode.heartbeatMillis() - after;
        long age = before - datanode.heartbeatMillis();
        if (ahead > CLOCK_TOLERANCE_MILLIS) {
            return Finding.fault(
                    "clocks",
                    "the clock of " + name + " is " + ahead + " ms ahead of this machine's",
                    "tokens of blocks end too early or too late, and who is silent is noticed late",
                    "have both machines' clocks set by NTP");
        }
        if (age > SILENT_MILLIS) {
            return Finding.fault(
                    "datanodes",
                    name + " has said nothing for " + TimeUnit.MILLISECONDS.toSeconds(age)
                            + " s, or its clock is that far behind",
                    "blocks are read and written elsewhere, if there is another datanode",
                    Silence.takesConnections(
                                    datanode.address().host(),
                                    datanode.address().port())
                            ? "it takes connections: see whether it reaches the store, and have its machine's clock"
                                    + " set by NTP"
                            : "start it");
        }
        return Finding.ok(
                "datanodes",
                name + " was heard of " + Math.max(0, age) + " ms ago, " + (datanode.freeBytes() >> 20) + " MB free");
    }
}
