package io.lambdafs.testing.simulation;

import io.lambdafs.client.CreateOptions;
import io.lambdafs.model.FsPath;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a machine that becomes far too busy under one seed: every message waits nearly as long as the ACK wait
 * allows, so that live instances are taken for dead and fenced. Clients must still be answered, slowly: the longest
 * time without a successful operation is bounded. PROTOCOL: E1. Not thread-safe.
 */
public final class SlowSimulation {
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int LANES = 6;
    private static final int FILES = 12;
    /**
     * Mean wait of a message; half of it if a renewal takes two round trips, since otherwise no lease could be kept.
     */
    private static final long BUSY_NANOS = 190 * MILLISECOND;

    private static final long BUSY_FOR = 120 * SECOND;
    /** Maximum time without a success: two joins that fence, and an operation. */
    private static final long LONGEST_GAP = 20 * SECOND;

    private static final CreateOptions OVERWRITE = CreateOptions.DEFAULT.withOverwrite(true);

    private final Agenda agenda;
    private final SimulatedCluster cluster;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private boolean asking = true;
    private long succeeded;
    private long lastSuccess;
    private long longestGap;
    private @Nullable String violation;

    /**
     * The outcome of a run.
     *
     * @param violation null if nothing went wrong
     * @param succeeded operations that succeeded on the busy machine
     * @param longestGapMillis the longest time without a success
     */
    public record Outcome(@Nullable String violation, long succeeded, long longestGapMillis) {}

    private SlowSimulation(long seed) {
        agenda = new Agenda(seed);
        cluster = new SimulatedCluster(agenda, new Unobserved(), SimulatedCluster.Kind.ALIKE);
    }

    private static final class Unobserved implements SimulatedTransport.Observer {
        @Override
        public void request(SimulatedProcess from, SimulatedProcess to, Message message) {}

        @Override
        public void reply(SimulatedProcess from, SimulatedProcess to, Message request, Message reply) {}
    }

    /** Runs the scenario; the same seed gives the same outcome. */
    public static Outcome run(long seed) {
        SlowSimulation simulation = new SlowSimulation(seed);
        simulation.play();
        return new Outcome(simulation.violation, simulation.succeeded, simulation.longestGap / MILLISECOND);
    }

    /** Returns the first failing seed of a range; -1 if none fails. */
    public static long firstFailing(long first, int seeds) {
        for (long seed = first; seed < first + seeds; seed++) {
            if (run(seed).violation() != null) {
                return seed;
            }
        }
        return -1;
    }

    private void play() {
        for (int i = 0; i < 2; i++) {
            clients.add(new SimulatedClient(cluster, cluster.process("client" + i), i == 0));
        }
        for (int i = 0; i < LANES; i++) {
            ask();
        }
        pass(5 * SECOND);
        cluster.network.busy(cluster.coordinatedByStore ? BUSY_NANOS / 2 : BUSY_NANOS);
        lastSuccess = agenda.now();
        succeeded = 0;
        longestGap = 0;
        pass(BUSY_FOR);
        succeeded();
        asking = false;
        if (longestGap > LONGEST_GAP) {
            violation = "no operation succeeded for " + longestGap / MILLISECOND + " ms, though nothing was lost";
        }
    }

    private void succeeded() {
        longestGap = Math.max(longestGap, agenda.now() - lastSuccess);
        lastSuccess = agenda.now();
        succeeded++;
    }

    /** Makes requests sequentially. */
    private void ask() {
        if (!asking) {
            return;
        }
        FsPath path = FsPath.of("/f" + agenda.random().nextInt(FILES));
        var client = clients.get(agenda.random().nextInt(clients.size())).of(SimulatedClient.ROOT);
        CompletionStage<?> asked =
                agenda.chance(0.5) ? client.create(path, new byte[4], OVERWRITE) : client.list(FsPath.ROOT, "", 100);
        asked.whenComplete((answer, failure) -> {
            if (failure == null) {
                succeeded();
            }
            agenda.after(agenda.within(4 * MILLISECOND), this::ask);
        });
    }

    private void pass(long nanos) {
        long end = agenda.now() + nanos;
        boolean[] over = {false};
        agenda.at(end, () -> over[0] = true);
        while (!over[0] && agenda.next()) {
            // Time goes on.
        }
    }
}
