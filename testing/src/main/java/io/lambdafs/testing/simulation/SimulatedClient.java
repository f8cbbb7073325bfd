package io.lambdafs.testing.simulation;

import io.lambdafs.client.ClientConfig;
import io.lambdafs.client.ClientMetrics;
import io.lambdafs.client.ClientRuntime;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.Principal;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** A client process with two users in it, {@code root} and {@code alice}, who share its connections. Not thread-safe. */
final class SimulatedClient {
    private static final ClientConfig.AntiThrashingUse THRASHING = ClientConfig.AntiThrashingUse.DEFAULT;

    static final Principal ROOT = new Principal("root", List.of("root"));
    static final Principal ALICE = new Principal("alice", List.of("users"));

    private final SimulatedProcess process;
    private final SimulatedTransport transport;
    private final LambdaFs root;
    private final LambdaFs alice;

    /**
     * A client of a cluster.
     *
     * @param tcp whether it takes connections, or sends everything by HTTP
     */
    SimulatedClient(SimulatedCluster cluster, SimulatedProcess process, boolean tcp) {
        this.process = process;
        this.transport = new SimulatedTransport(cluster.wire, process);
        ClientRuntime runtime =
                ClientRuntime.of(new ClientRuntime.Parts(process, kind -> transport, cluster.agenda.random()));
        this.root = open(cluster, runtime, ROOT, tcp);
        this.alice = open(cluster, runtime, ALICE, tcp);
    }

    private LambdaFs open(SimulatedCluster cluster, ClientRuntime runtime, Principal who, boolean tcp) {
        ClientConfig.TcpUse use = new ClientConfig.TcpUse(
                tcp,
                SimulatedTransport.HOST,
                SimulatedTransport.HOST,
                0,
                ClientConfig.TcpUse.DEFAULT.maxClientsPerServer(),
                ClientConfig.TcpUse.DEFAULT.transport());
        ClientConfig config = ClientConfig.builder()
                .gateway(URI.create("http://127.0.0.1:1"))
                .deployments(SimulatedCluster.DEPLOYMENTS)
                .user(who.user())
                .groups(who.groups())
                .insecure(true)
                .http(new ClientConfig.HttpUse(ClientConfig.HttpUse.MAX_PROBABILITY, 1_000, 16))
                .tcp(use)
                .antiThrashing(new ClientConfig.AntiThrashingUse(
                        cluster.antiThrashing, THRASHING.threshold(), THRASHING.floor(), Duration.ofSeconds(5)))
                .times(SimulatedCluster.TIMES)
                .firstContact(SimulatedCluster.TIMES.deadline())
                .build();
        return LambdaFs.open(config, runtime, cluster.gateway.invoker(process, who));
    }

    SimulatedProcess process() {
        return process;
    }

    SimulatedTransport transport() {
        return transport;
    }

    /** What both users have done. */
    List<ClientMetrics.Snapshot> metrics() {
        return List.of(root.metrics().snapshot(), alice.metrics().snapshot());
    }

    LambdaFs of(Principal who) {
        return who.equals(ROOT) ? root : alice;
    }
}
