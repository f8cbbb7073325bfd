package io.lambdafs.coordinator.zookeeper;

import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Settings of the ZooKeeper client: its defaults, without SASL and TLS, neither of which λFS uses here. The library's own constructor reads
 * the certificates of all authorities that the JDK trusts, only to learn the names of settings: a tenth of what a cold start takes.
 */
final class ClientSettings extends ZKClientConfig {
    ClientSettings() {
        setProperty(ENABLE_CLIENT_SASL_KEY, "false");
    }

    /** Called by the constructor above; would read system properties, those of TLS among them. */
    @Override
    protected void handleBackwardCompatibility() {}
}
