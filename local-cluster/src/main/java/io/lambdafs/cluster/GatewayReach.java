package io.lambdafs.cluster;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.rpc.Hosts;
import java.net.URI;
import java.time.Duration;

/**
 * Whether functions can be called at a gateway: λFS's own says so on its health page, and proves that it knows the
 * clients' key; a platform's has no such page, and is only seen to take connections. Stateless.
 */
public final class GatewayReach {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private GatewayReach() {}

    /** Returns whether clients with such a configuration find a gateway. */
    public static boolean answers(ClientConfig config) {
        return answers(config, where(config));
    }

    /** Returns whether clients with such a configuration find one at another address. */
    public static boolean answers(ClientConfig config, URI address) {
        return config.gatewayProof()
                ? GatewayClient.of(address, config.tlsCa(), LIMIT).isHealthy()
                : Silence.takesConnections(Hosts.bare(address.getHost()), port(address));
    }

    /** Returns where the first function is called. */
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
