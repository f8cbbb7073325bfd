package io.lambdafs.client.runtime;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfig.TcpUse;
import io.lambdafs.client.http.HttpGate;
import io.lambdafs.client.sharing.OwnConnections;
import io.lambdafs.client.sharing.Sharing;
import io.lambdafs.client.sharing.SharingPlace;
import io.lambdafs.client.tcp.ConnectionTable;
import io.lambdafs.client.tcp.Credentials;
import io.lambdafs.client.tcp.InstanceConnection;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.client.tcp.TcpServer;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import io.lambdafs.rpc.transports.TransportKind;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of a process to one cluster, shared by its clients: TCP servers (one, unless clients per server are
 * limited) and the HTTP gates of the deployments. A client uses its own server's connections first, then those of the
 * others; every HTTP call offers all servers, so that the instance connects to each (the paper's §3.2). Thread-safe.
 */
public final class ClusterConnections implements TcpServer.Listener, OwnConnections {
    /** Maximum servers per cluster and process; further clients share them. */
    public static final int MAX_SERVERS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(ClusterConnections.class);

    /** Clients with equal keys share. */
    public record Key(
            URI gateway,
            String namespace,
            String actionPrefix,
            Placement placement,
            TcpUse tcp,
            @Nullable Path tlsCa,
            @Nullable SharingPlace sharing,
            int replacements,
            int httpInFlight,
            Duration distance) {
        static Key of(ClientConfig config) {
            return new Key(
                    config.gateway(),
                    config.namespace(),
                    config.actionPrefix(),
                    new Placement(config.generation(), config.deployments()),
                    config.tcp(),
                    config.tlsCa(),
                    SharingPlace.of(config),
                    config.http().maxReplacements(),
                    config.http().maxInFlight(),
                    config.distance().tcp());
        }
    }

    private final Key key;
    private final Scheduler scheduler;
    private final TcpServer.Context context;
    private final HttpGates gates;
    private final List<TcpServer> servers = new CopyOnWriteArrayList<>();
    private final Map<TcpServer, Integer> seats = new HashMap<>();
    private final Function<SharingPlace, Sharing> sharings;
    private volatile Placement placement;
    private volatile @Nullable Sharing sharing;

    /** @param tls that verifies instances' certificates */
    ClusterConnections(Key key, ClientRuntime.Context runtime, Optional<Tls> tls) {
        this.key = key;
        this.placement = key.placement();
        this.scheduler = runtime.scheduler();
        Transport transport = runtime.transports().apply(key.tcp().transport());
        this.context = new TcpServer.Context(
                scheduler,
                tls.map(files -> transport.secured(files, TlsPeers.INSTANCE_TO_USER))
                        .orElse(transport)
                        .distant(key.distance()),
                runtime.secrets(),
                this);
        this.sharings = place -> new Sharing(
                new Sharing.Context(
                        place, scheduler, runtime.transports().apply(TransportKind.NETTY), runtime.secrets()),
                this);
        this.gates = new HttpGates(key, scheduler);
    }

    /** Returns the placement, as configured or as since reported by an instance. */
    public Placement placement() {
        return placement;
    }

    /** Applies a placement reported by an instance; later requests are routed by the latest. */
    public synchronized void resized(Placement told) {
        if (told.isLaterThan(placement)) {
            LOG.info("the file system has {} deployments now, not {}", told.deployments(), placement.deployments());
            placement = told;
        }
    }

    /**
     * Assigns a client to the server with the fewest clients, or to a new one if all are full; beyond {@value
     * #MAX_SERVERS} servers they share evenly. Null without TCP.
     */
    public synchronized @Nullable TcpServer join() {
        if (!key.tcp().enabled()) {
            return null;
        }
        int most = key.tcp().maxClientsPerServer();
        TcpServer chosen = null;
        for (TcpServer server : servers) {
            if (chosen == null || clients(server) < clients(chosen)) {
                chosen = server;
            }
        }
        boolean isFull = chosen != null && most > 0 && clients(chosen) >= most && servers.size() < MAX_SERVERS;
        if (chosen == null || isFull) {
            chosen = TcpServer.start(context, nextAddress());
            servers.add(chosen);
            share(chosen);
        }
        seats.merge(chosen, 1, Integer::sum);
        return chosen;
    }

    private int clients(TcpServer server) {
        return seats.getOrDefault(server, 0);
    }

    /** Starts sharing with the first server. */
    private void share(TcpServer server) {
        SharingPlace place = key.sharing();
        if (place == null || sharing != null) {
            return;
        }
        Sharing next = sharings.apply(place);
        sharing = next;
        server.listening().whenComplete((listener, thrown) -> {
            if (thrown == null) {
                next.start();
            } else {
                next.settle();
            }
        });
    }

    /** Returns whether operations may start. */
    public boolean isReady(TcpServer server) {
        Sharing shared = sharing;
        return server.isListening() && (shared == null || shared.isSettled());
    }

    /** Completes when operations may start; fails as {@link TcpServer#listening}. */
    public CompletionStage<?> ready(TcpServer server) {
        Sharing shared = sharing;
        return shared == null ? server.listening() : server.listening().thenCombine(shared.settled(), (l, s) -> l);
    }

    private TcpUse nextAddress() {
        TcpUse use = key.tcp();
        Set<Integer> taken = servers.stream().map(TcpServer::wantedPort).collect(Collectors.toSet());
        int port = use.port();
        while (port != 0 && taken.contains(port)) {
            port++;
        }
        return new TcpUse(
                use.enabled(), use.host(), use.advertisedHost(), port, use.maxClientsPerServer(), use.transport());
    }

    /** Removes a client from its server, which closes with its last client. */
    public synchronized void leave(@Nullable TcpServer server, Credentials who) {
        if (server == null) {
            return;
        }
        tables().forEach(table -> table.forEach(connection -> connection.unbind(who)));
        int left = seats.merge(server, -1, Integer::sum);
        if (left == 0) {
            seats.remove(server);
            servers.remove(server);
            server.close();
            leaveSharing();
        }
    }

    private void leaveSharing() {
        Sharing shared = sharing;
        if (shared != null && servers.isEmpty()) {
            sharing = null;
            shared.close();
        } else if (shared != null) {
            shared.changed();
        }
    }

    /** Returns the tables of all servers, then that of borrowed connections. */
    private List<ConnectionTable> tables() {
        List<ConnectionTable> tables = new ArrayList<>(servers.size() + 1);
        servers.forEach(server -> tables.add(server.table()));
        Sharing shared = sharing;
        if (shared != null) {
            tables.add(shared.borrowed());
        }
        return tables;
    }

    /**
     * Picks a connection for a request.
     *
     * @param avoid id of a connection that just failed the request, used only if there is no other; 0 for none
     */
    public @Nullable InstanceConnection pick(TcpServer own, int deployment, long avoid) {
        RandomGenerator random = scheduler.random();
        return first(own, table -> table.pick(deployment, avoid, random));
    }

    /** Picks a connection of any deployment. */
    public @Nullable InstanceConnection pickAny(TcpServer own, long avoid) {
        RandomGenerator random = scheduler.random();
        return first(own, table -> table.pickAny(avoid, random));
    }

    private @Nullable InstanceConnection first(
            TcpServer own, Function<ConnectionTable, @Nullable InstanceConnection> choice) {
        InstanceConnection found = choice.apply(own.table());
        if (found != null) {
            return found;
        }
        for (TcpServer server : servers) {
            if (server != own) {
                found = choice.apply(server.table());
                if (found != null) {
                    return found;
                }
            }
        }
        Sharing shared = sharing;
        return shared == null ? null : choice.apply(shared.borrowed());
    }

    /** Returns an offer of each listening server, or of the lending process's server. */
    public List<TcpOffer> offers(int deployment) {
        Sharing shared = sharing;
        TcpOffer lenders = shared == null ? null : shared.offer(deployment);
        if (lenders != null) {
            return List.of(lenders);
        }
        List<TcpOffer> offers = new ArrayList<>(servers.size());
        for (TcpServer server : servers) {
            if (server.isListening()) {
                offers.add(server.offer(deployment));
            }
        }
        return offers;
    }

    /** Withdraws offers if the answering instance is already connected. */
    public void answeredBy(int deployment, long epoch, List<TcpOffer> offers) {
        for (TcpServer server : servers) {
            if (server.table().hasEpoch(deployment, epoch)) {
                offers.forEach(server::withdraw);
            }
        }
    }

    @Override
    public void giveUp(InstanceConnection hung) {
        for (TcpServer server : servers) {
            if (server.table().has(hung)) {
                server.giveUp(hung);
            }
        }
        Sharing shared = sharing;
        if (shared != null) {
            shared.giveUp(hung);
        }
    }

    public HttpGate gate(int deployment) {
        return gates.of(deployment);
    }

    /** See {@link HttpGates#narrow}. */
    public HttpGate narrowGate() {
        return gates.narrow();
    }

    /** See {@link HttpGates#release}. */
    public void release() {
        gates.release();
    }

    /** Returns the number of listening servers. */
    public int servers() {
        return (int) servers.stream().filter(TcpServer::isListening).count();
    }

    public int connections() {
        int count = 0;
        for (ConnectionTable table : tables()) {
            count += table.count();
        }
        return count;
    }

    public int borrowedConnections() {
        Sharing shared = sharing;
        return shared == null ? 0 : shared.borrowed().count();
    }

    @Override
    public void connected(int deployment) {
        gates.connected(deployment);
        shareChange();
    }

    @Override
    public void disconnected(int deployment) {
        gates.disconnected(deployment);
        shareChange();
    }

    private void shareChange() {
        Sharing shared = sharing;
        if (shared != null) {
            shared.changed();
        }
    }

    // For sharing

    @Override
    public TcpServer.Listener borrowed() {
        return gates;
    }

    @Override
    public void forEachOwn(Consumer<InstanceConnection> action) {
        servers.forEach(server -> server.table().forEach(action));
    }

    @Override
    public TcpUse tcp() {
        return key.tcp();
    }

    @Override
    public int port() {
        for (TcpServer server : servers) {
            if (server.isListening()) {
                return server.port();
            }
        }
        return 0;
    }

    @Override
    public void expect(int deployment, String registration) {
        for (TcpServer server : servers) {
            if (server.isListening()) {
                server.expect(deployment, registration);
                return;
            }
        }
    }
}
