package io.lambdafs.testing.simulation;

import io.lambdafs.model.operation.Placement;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.store.instance.Deployments;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import io.lambdafs.testing.simulation.cluster.SimulatedInstance;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A simulated operator that repeatedly changes the number of deployments, as {@code lambdafs cluster resize} does:
 * functions first, then the store; surplus functions go once no instance of an earlier generation is left. Not
 * thread-safe.
 */
final class Resizes {
    private static final long MILLISECOND = 1_000_000L;
    private static final int MOST = 5;
    private static final long PAUSE_NANOS = 6_000 * MILLISECOND;
    private static final long LOOK_NANOS = 100 * MILLISECOND;
    private static final int LOOKS_TO_WAKE = 20;
    /** Fraction of the changes. */
    private static final double DEAF = 0.5;

    private final SimulatedCluster cluster;
    private final Agenda agenda;
    private final RandomGenerator random;
    private boolean stopped;
    private boolean under;
    private long count;

    Resizes(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.agenda = cluster.agenda;
        this.random = agenda.random();
    }

    void start() {
        agenda.after(agenda.within(PAUSE_NANOS), () -> {
            if (!stopped) {
                resize(1 + random.nextInt(MOST));
            }
        });
    }

    /** Starts no further changes; a current one continues. */
    void stop() {
        stopped = true;
    }

    /** Returns whether a change is in progress. */
    boolean isUnderWay() {
        return under;
    }

    /** Returns the number of changes. */
    long count() {
        return count;
    }

    private void resize(int deployments) {
        under = true;
        cluster.gateway.register(deployments);
        if (!stopped && agenda.chance(DEAF)) {
            deafen();
        }
        Deployments.change(cluster.engine, deployments).whenComplete((placement, failure) -> {
            if (failure == null) {
                count += placement.generation() > count ? 1 : 0;
                awaitLeaving(placement, 1);
            } else {
                agenda.after(LOOK_NANOS, () -> resize(deployments));
            }
        });
    }

    /**
     * Keeps one instance from learning of the change from others, coordinator or store; its clients learn of it, and
     * its lease stays valid.
     */
    private void deafen() {
        List<SimulatedInstance> all = cluster.instances();
        if (all.isEmpty()) {
            return;
        }
        SimulatedProcess deaf = all.get(random.nextInt(all.size())).process();
        long nanos = (600 + random.nextInt(1_500)) * MILLISECOND;
        for (SimulatedInstance instance : all) {
            if (instance.process() != deaf) {
                cluster.network.cut(instance.process(), deaf, nanos, true);
            }
        }
        cluster.network.cut(cluster.postProcess, deaf, nanos, true);
        cluster.network.cut(deaf, cluster.storeProcess, nanos, true);
        cluster.conditions.newsNanos = nanos;
        agenda.after(nanos, () -> cluster.conditions.newsNanos = 0);
    }

    private void awaitLeaving(Placement placement, int look) {
        Deployments.earlier(cluster.engine, placement).whenComplete((earlier, failure) -> {
            if (failure == null && earlier.isEmpty()) {
                cluster.gateway.removeFrom(placement.deployments());
                under = false;
                start();
            } else {
                if (look % LOOKS_TO_WAKE == 0) {
                    // There may be no live instance to fence the dead ones.
                    cluster.gateway.wake();
                }
                agenda.after(LOOK_NANOS, () -> awaitLeaving(placement, look + 1));
            }
        });
    }
}
