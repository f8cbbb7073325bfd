package io.lambdafs.cluster.gateway;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.rpc.Hosts;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Tests whether functions can be called at a gateway: λFS's own reports it on its health page, and proves that it knows
 * the clients' key; a platform's has no such page, so only a connection is tried. Stateless.
 */
public final class GatewayReach {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private GatewayReach() {}

    /** Returns whether clients with such a configuration find a gateway. */
    public static boolean answers(ClientConfig config) {
        return silence(config).isEmpty();
    }

    /** Returns the reason why clients with such a configuration find no gateway; empty if they find one. */
    public static Optional<String> silence(ClientConfig config) {
        return silence(config, where(config));
    }

    /**
     * Returns the reason why clients with such a configuration find none at another address; empty if they find one.
     */
    public static Optional<String> silence(ClientConfig config, URI address) {
        if (config.gatewayProof()) {
            return GatewayClient.of(address, config.tlsCa(), LIMIT).silence();
        }
        return Silence.takesConnections(Hosts.bare(address.getHost()), port(address))
                ? Optional.empty()
                : Optional.of("the platform at " + address + " takes no connections");
    }

    /** Returns the address at which the first function is called. */
    public static URI where(ClientConfig config) {
        return config.api().functionUrl().isEmpty()
                ? config.gateway()
                : config.api().addressOf(config.actionPrefix() + 0);
    }

    private static int port(URI address) {
        if (address.getPort() > 0) {
            return address.getPort();
        }
        return "https".equalsIgnoreCase(address.getScheme()) ? HTTPS_PORT : HTTP_PORT;
    }
}
