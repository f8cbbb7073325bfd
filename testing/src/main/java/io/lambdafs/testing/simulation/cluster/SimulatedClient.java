package io.lambdafs.testing.simulation.cluster;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.client.runtime.ClientRuntime;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A simulated client process with several users that share its connections: {@code root}, {@code u1}, and {@code u2}
 * under two different groups. Not thread-safe.
 */
public final class SimulatedClient {
    private static final ClientConfig.AntiThrashingUse THRASHING = ClientConfig.AntiThrashingUse.DEFAULT;

    public static final Principal ROOT = new Principal("root", List.of("root"));
    /** The users other than {@link #ROOT}. */
    public static final List<Principal> USERS = List.of(
            new Principal("u1", List.of("users", "staff")),
            new Principal("u2", List.of("users")),
            new Principal("u2", List.of("staff")));

    /** Three users who write each other's files. */
    public static final List<Principal> AUTHORS =
            List.of(USERS.get(0), USERS.get(1), new Principal("u3", List.of("staff")));

    private final SimulatedProcess process;
    private final SimulatedTransport transport;
    private final Map<Principal, LambdaFs> users = new LinkedHashMap<>();

    /**
     * Creates a client of a cluster.
     *
     * @param tcp whether it accepts connections, or sends everything by HTTP
     */
    public SimulatedClient(SimulatedCluster cluster, SimulatedProcess process, boolean tcp) {
        this.process = process;
        this.transport = new SimulatedTransport(cluster.wire, process);
        ClientRuntime runtime =
                ClientRuntime.of(new ClientRuntime.Context(process, kind -> transport, cluster.agenda.random()));
        users.put(ROOT, open(cluster, runtime, ROOT, tcp));
        USERS.forEach(who -> users.put(who, open(cluster, runtime, who, tcp)));
        AUTHORS.forEach(who -> users.computeIfAbsent(who, none -> open(cluster, runtime, who, tcp)));
    }

    private LambdaFs open(SimulatedCluster cluster, ClientRuntime runtime, Principal who, boolean tcp) {
        ClientConfig.TcpUse use = new ClientConfig.TcpUse(
                tcp && !cluster.paused,
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

    public SimulatedProcess process() {
        return process;
    }

    public SimulatedTransport transport() {
        return transport;
    }

    /** Returns the users' metrics. */
    public List<ClientMetrics.Snapshot> metrics() {
        return users.values().stream().map(each -> each.metrics().snapshot()).toList();
    }

    public LambdaFs of(Principal who) {
        LambdaFs client = users.get(who);
        if (client == null) {
            throw new IllegalArgumentException("no client of " + who);
        }
        return client;
    }
}
