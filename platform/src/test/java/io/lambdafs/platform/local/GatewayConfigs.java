package io.lambdafs.platform.local;

import io.lambdafs.platform.local.pool.PoolLimits;
import java.net.InetSocketAddress;

/** A gateway's configuration with one setting changed. Stateless. */
final class GatewayConfigs {
    private GatewayConfigs() {}

    static GatewayConfig pool(GatewayConfig config, PoolLimits pool) {
        return copy(config, config.listen(), pool, config.throttle());
    }

    static GatewayConfig throttle(GatewayConfig config, Throttle.Limits throttle) {
        return copy(config, config.listen(), config.pool(), throttle);
    }

    static GatewayConfig listen(GatewayConfig config, InetSocketAddress listen) {
        return copy(config, listen, config.pool(), config.throttle());
    }

    private static GatewayConfig copy(
            GatewayConfig config, InetSocketAddress listen, PoolLimits pool, Throttle.Limits throttle) {
        return new GatewayConfig(
                listen,
                config.portFile(),
                config.namespace(),
                config.apiKey(),
                config.managementKey(),
                config.directory(),
                config.logs(),
                config.maxLogBytes(),
                config.startLimit(),
                pool,
                throttle,
                config.prices(),
                config.tls(),
                config.kinds(),
                config.snapshots(),
                config.doors());
    }
}
