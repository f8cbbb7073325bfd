package io.lambdafs.testing.simulation;

import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.testing.simulation.cluster.Network;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import io.lambdafs.testing.simulation.cluster.SimulatedInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Injects faults according to the seed: one or several at intervals, each for a while. Not thread-safe. */
public final class Faults {
    private static final long MILLISECOND = 1_000_000L;
    private static final long MEAN_PAUSE_NANOS = 350 * MILLISECOND;

    /** The faults' access to a run's clients. */
    public interface Clients {
        List<SimulatedClient> all();

        /** Kills and replaces a client. */
        void replace(SimulatedClient client);
    }

    private final SimulatedCluster cluster;
    private final Clients clients;
    private final Recorder.Counts counts;
    private final Agenda agenda;
    private final RandomGenerator random;
    private boolean stopped;
    /** End of the time without other faults, because some faults need the rest undisturbed. */
    private long aloneNanos;

    /** Injects faults without counting them. */
    public Faults(SimulatedCluster cluster, Clients clients) {
        this(cluster, clients, new Recorder.Counts());
    }

    Faults(SimulatedCluster cluster, Clients clients, Recorder.Counts counts) {
        this.cluster = cluster;
        this.clients = clients;
        this.counts = counts;
        this.agenda = cluster.agenda;
        this.random = agenda.random();
    }

    public void start() {
        agenda.after(aloneNanos + agenda.within(2 * MEAN_PAUSE_NANOS), this::next);
        aloneNanos = 0;
    }

    /** Starts no further faults; current ones continue. */
    public void stop() {
        stopped = true;
    }

    private void next() {
        if (stopped) {
            return;
        }
        if (!cluster.instances().isEmpty()) {
            counts.faults++;
            strike();
        }
        start();
    }

    private void strike() {
        switch (random.nextInt(32)) {
            case 0, 1, 2, 3 -> separate();
            case 4, 5, 6, 7, 25, 26, 27 -> deafen();
            case 20, 21, 28 -> freeze(victim().process(), (1_500 + random.nextInt(3_500)) * MILLISECOND);
            case 22, 23, 24 -> lateNews();
            case 29, 30 -> setAdrift();
            case 8 -> freeze(victim().process(), duration(3_000));
            case 9 -> victim().kill();
            case 10 -> victim().stop(java.time.Duration.ofMillis(random.nextInt(2_000)));
            case 11 -> reset();
            case 12, 13 -> disturbStore();
            case 14 -> slowDisk();
            case 15 -> freeze(random.nextBoolean() ? cluster.storeProcess : cluster.gatewayProcess, duration(1_500));
            case 16 -> freeze(cluster.coordinatorProcess, duration(2_500));
            case 17 -> disturbClient();
            case 18 -> twins();
            default -> slowStarts();
        }
    }

    /** Draws a duration in milliseconds: mostly short, sometimes up to the bound. */
    private long duration(long mostMillis) {
        long bound = random.nextInt(3) == 0 ? mostMillis : mostMillis / 6;
        return 10 * MILLISECOND + agenda.within(bound * MILLISECOND);
    }

    private SimulatedInstance victim() {
        List<SimulatedInstance> all = cluster.instances();
        return all.get(random.nextInt(all.size()));
    }

    private void freeze(SimulatedProcess process, long nanos) {
        process.freeze();
        agenda.after(nanos, process::thaw);
    }

    /** Partitions an instance from some of its peers, in one direction or both, or delays messages to it. */
    private void separate() {
        SimulatedProcess victim = victim().process();
        long nanos = duration(3_500);
        boolean gray = random.nextInt(3) == 0;
        for (List<SimulatedProcess> group : groups(victim)) {
            int how = random.nextInt(gray ? 5 : 8);
            for (SimulatedProcess other : group) {
                disturb(victim, other, how, nanos);
            }
        }
    }

    /**
     * Lets an instance serve its clients while it hears nothing from other instances, or they nothing from it; possibly
     * the coordinator does not hear it or answers late, and the store does not hear it either.
     */
    private void deafen() {
        SimulatedProcess victim = victim().process();
        int how = random.nextInt(6);
        boolean leaseAtStake = how >= 2 && how <= 4;
        long nanos = ((leaseAtStake ? 1_600 : 400) + random.nextInt(leaseAtStake ? 1_000 : 3_000)) * MILLISECOND;
        boolean hears = !leaseAtStake && random.nextInt(4) == 0;
        boolean loses = random.nextBoolean();
        for (SimulatedInstance instance : cluster.instances()) {
            SimulatedProcess other = instance.process();
            if (other != victim) {
                cluster.network.cut(hears ? victim : other, hears ? other : victim, nanos, loses);
            }
        }
        switch (how) {
            case 0 -> {
                cluster.network.cut(victim, cluster.coordinatorProcess, nanos, true);
                cluster.network.cut(cluster.postProcess, victim, nanos, true);
            }
            case 1 -> cluster.network.slow(cluster.coordinatorProcess, victim, nanos, 950 * MILLISECOND);
            case 2, 3, 4 -> lastAnswersLate(victim, nanos);
            default -> {
                // Others cannot reach it; its messages to the store arrive after they have fenced it.
                cluster.network.cut(cluster.postProcess, victim, nanos, true);
                cluster.network.late(victim, cluster.storeProcess, nanos, 1_800 * MILLISECOND);
            }
        }
        // If its lease is at stake, the store does not hear it; otherwise it would lead a write and fence everyone.
        if (leaseAtStake || (how < 5 && random.nextBoolean())) {
            cluster.network.cut(victim, cluster.storeProcess, nanos, loses);
        }
    }

    /**
     * Delays the coordinator's last answers to an instance before its renewals are refused, and drops those afterwards:
     * the first write that misses an ACK has them refused.
     */
    private void lastAnswersLate(SimulatedProcess victim, long nanos) {
        aloneNanos = agenda.chance(0.35) ? 2_000 * MILLISECOND : 0;
        cluster.network.cut(cluster.postProcess, victim, nanos, true);
        long renewal = SimulatedCluster.TIMES.held().toNanos() / 3;
        long refused = SimulatedCluster.TIMES.ackWait().toNanos() + agenda.within(150 * MILLISECOND);
        // By so little that the lease is still valid.
        long late = 9 * renewal / 5;
        agenda.after(refused - renewal, () -> cluster.network.late(cluster.coordinatorProcess, victim, renewal, late));
        agenda.after(refused, () -> cluster.network.cut(cluster.coordinatorProcess, victim, nanos, true));
    }

    /**
     * Lets an instance lose the coordinator, and with it its lease, while the store is slow to receive and answer;
     * another instance dies, and the first does not know its successor.
     */
    private void setAdrift() {
        SimulatedInstance victim = victim();
        SimulatedProcess process = victim.process();
        long nanos = (1_500 + random.nextInt(1_000)) * MILLISECOND;
        cluster.network.cut(cluster.coordinatorProcess, process, nanos, true);
        cluster.network.slow(cluster.storeProcess, process, nanos, 600 * MILLISECOND);
        cluster.network.slow(process, cluster.storeProcess, nanos, 600 * MILLISECOND);
        agenda.after((400 + random.nextInt(500)) * MILLISECOND, () -> {
            if (!stopped && !cluster.instances().isEmpty()) {
                SimulatedInstance other = victim();
                if (other != victim) {
                    other.kill();
                }
            }
        });
    }

    /** Delays membership changes while an instance comes or goes. */
    private void lateNews() {
        cluster.conditions.newsNanos = (300 + random.nextInt(3_000)) * MILLISECOND;
        agenda.after(duration(4_000), () -> cluster.conditions.newsNanos = 0);
        if (random.nextBoolean()) {
            for (int i = random.nextInt(3); i >= 0 && !cluster.instances().isEmpty(); i--) {
                victim().kill();
            }
        } else {
            freeze(victim().process(), (1_200 + random.nextInt(1_000)) * MILLISECOND);
        }
    }

    private List<List<SimulatedProcess>> groups(SimulatedProcess victim) {
        List<SimulatedProcess> peers = new ArrayList<>();
        for (SimulatedInstance instance : cluster.instances()) {
            if (instance.process() != victim) {
                peers.add(instance.process());
            }
        }
        List<SimulatedProcess> callers = new ArrayList<>();
        clients.all().forEach(client -> callers.add(client.process()));
        return List.of(
                peers,
                callers,
                List.of(cluster.storeProcess),
                List.of(cluster.coordinatorProcess, cluster.postProcess));
    }

    private void disturb(SimulatedProcess victim, SimulatedProcess other, int how, long nanos) {
        Network network = cluster.network;
        boolean loses = (how & 1) == 0;
        switch (how) {
            case 0 -> {
                network.cut(victim, other, nanos, loses);
                network.cut(other, victim, nanos, loses);
            }
            case 1 -> network.cut(other, victim, nanos, random.nextBoolean());
            case 2 -> network.cut(victim, other, nanos, random.nextBoolean());
            case 3 -> network.slow(other, victim, nanos, 800 * MILLISECOND);
            case 4 -> network.slow(victim, other, nanos, 100 * MILLISECOND);
            default -> {}
        }
    }

    private void reset() {
        SimulatedInstance one = victim();
        if (random.nextBoolean()) {
            List<SimulatedClient> all = clients.all();
            all.get(random.nextInt(all.size())).transport().reset(one.process());
            return;
        }
        one.transport().reset(victim().process());
    }

    private void disturbStore() {
        cluster.conditions.storeConflict = 0.1 * random.nextDouble();
        cluster.conditions.commitLost = 0.2 * random.nextDouble();
        agenda.after(duration(800), () -> {
            cluster.conditions.storeConflict = 0;
            cluster.conditions.commitLost = 0;
        });
    }

    private void slowDisk() {
        cluster.conditions.diskNanos = agenda.within(200 * MILLISECOND);
        agenda.after(duration(1_000), () -> cluster.conditions.diskNanos = 300_000);
    }

    private void disturbClient() {
        List<SimulatedClient> all = clients.all();
        SimulatedClient one = all.get(random.nextInt(all.size()));
        if (random.nextInt(12) == 0) {
            clients.replace(one);
        } else {
            freeze(one.process(), duration(2_000));
        }
    }

    private void twins() {
        cluster.conditions.twin = 0.3 * random.nextDouble();
        cluster.conditions.twinNanos = duration(5_000);
        agenda.after(duration(1_000), cluster.conditions::usualTwins);
    }

    private void slowStarts() {
        cluster.conditions.coldStartNanos = 2_000 * MILLISECOND;
        cluster.conditions.startFailure = 0.3;
        agenda.after(duration(3_000), () -> {
            cluster.conditions.coldStartNanos = 300 * MILLISECOND;
            cluster.conditions.startFailure = 0;
        });
    }
}
