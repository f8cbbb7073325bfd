package io.lambdafs.cluster;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.gateway.GatewayReach;
import io.lambdafs.cluster.gateway.Silence;
import io.lambdafs.cluster.secure.Certificates;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFiles;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The gateway of a cluster as its commands reach it, also of one that runs elsewhere and whose directory only has
 * clients' files. Confined to the cluster's thread.
 */
public final class LocalGateway {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);

    private final LocalCluster cluster;
    private final ClusterDirectory directory;

    LocalGateway(LocalCluster cluster) {
        this.cluster = cluster;
        this.directory = cluster.directory();
    }

    /** Returns the address at which a gateway with these settings is reached. */
    static String url(ClusterSettings settings, int port) {
        return (settings.tls().enabled() ? "https://" : "http://")
                + Hosts.withPort(Hosts.reached(settings.listen()), port);
    }

    /** Returns the address of the running gateway. */
    URI address(ClusterSettings settings) {
        return URI.create(url(settings, cluster.port(Service.GATEWAY)));
    }

    /** Returns its address, if one was started or the directory describes a cluster elsewhere. */
    public Optional<URI> address() {
        if (cluster.isElsewhere()) {
            return Optional.of(ClientConfig.load(directory.client()).gateway());
        }
        OptionalInt port = cluster.process(Service.GATEWAY).port();
        return port.isPresent() && directory.exists()
                ? Optional.of(URI.create(url(settings(), port.getAsInt())))
                : Optional.empty();
    }

    /** Returns a client of the running gateway without a key. */
    GatewayClient anonymous(ClusterSettings settings) {
        return anonymous(address(settings), settings);
    }

    private GatewayClient anonymous(URI page, ClusterSettings settings) {
        return new GatewayClient(page, null, ANSWER_LIMIT, tls(settings));
    }

    /** Returns a client of the running gateway's management API. */
    GatewayClient manager(ClusterSettings settings) {
        return GatewayClient.of(address(settings), directory.managementKey(), ANSWER_LIMIT, tls(settings));
    }

    /** Returns a client of the management API, which only λFS's own gateway has. */
    public Optional<GatewayClient> management() {
        if (!cluster.isElsewhere()) {
            return Optional.of(client());
        }
        ClientConfig client = ClientConfig.load(directory.client());
        return client.gatewayProof() && Files.exists(directory.managementKey())
                ? Optional.of(GatewayClient.of(
                        client.gateway(),
                        directory.managementKey(),
                        ANSWER_LIMIT,
                        Optional.ofNullable(client.tlsCa())
                                .map(TlsFiles::ofUser)
                                .map(Tls::of)))
                : Optional.empty();
    }

    /**
     * Returns a client of its management API.
     *
     * @throws FsException if there is no gateway, or it has no such API
     */
    public GatewayClient client() {
        if (cluster.isElsewhere()) {
            return management()
                    .orElseThrow(() -> FsException.invalidArgument(directory
                            + " describes a cluster whose platform has no management API of λFS, or has no"
                            + " file "
                            + directory.managementKey() + ": ask the platform itself"));
        }
        URI gateway = address()
                .orElseThrow(() -> FsException.unavailable(
                        "no cluster runs in " + directory + ": " + Launcher.startOf(directory.root())));
        return GatewayClient.of(gateway, directory.managementKey(), ANSWER_LIMIT, tls(settings()));
    }

    boolean answers() {
        return address()
                .map(gateway -> anonymous(gateway, settings()).isHealthy())
                .orElse(false);
    }

    /** Returns the problem reported by a running service's health page; empty if healthy or without such a page. */
    public Optional<String> unhealthy(String service) {
        OptionalInt port = cluster.process(Service.GATEWAY).port(service + "-metrics");
        if (port.isEmpty()) {
            return Optional.empty();
        }
        ClusterSettings settings = settings();
        // A door's pages are on loopback, without TLS.
        boolean door = cluster.services().stream()
                .anyMatch(each -> each.isDoor() && each.label().equals(service));
        URI page = URI.create((settings.tls().enabled() && !door ? "https://" : "http://")
                + Hosts.withPort(Hosts.loopback(), port.getAsInt()) + "/healthz");
        return anonymous(page, settings).unhealthy();
    }

    /** Fails with {@code UNAVAILABLE} unless the gateway answers. */
    public void demandAnswer() {
        if (cluster.isElsewhere()) {
            ClientConfig client = ClientConfig.load(directory.client());
            demandAnswer(client.gateway(), GatewayReach.silence(client));
        } else {
            GatewayClient gateway = client();
            demandAnswer(gateway.gateway(), gateway.silence());
        }
    }

    private void demandAnswer(URI gateway, Optional<String> silence) {
        silence.ifPresent(why -> {
            throw FsException.unavailable(
                    "the cluster in " + directory + ": " + why + "; " + Silence.ofGateway(directory, gateway));
        });
    }

    private ClusterSettings settings() {
        return cluster.settings(LocalCluster.StartOptions.none());
    }

    /** Returns the commands' TLS. */
    private Optional<Tls> tls(ClusterSettings settings) {
        return Certificates.files(directory, settings, Certificates.Role.OPERATOR)
                .map(Tls::of);
    }
}
