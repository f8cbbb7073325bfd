package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;

/**
 * TLS on all connections. Without configured files, a CA and certificates are created in the cluster's directory.
 *
 * @param enabled whether to use TLS
 * @param ca PEM file of the trusted CA; empty for the cluster's own
 * @param certificate PEM file of all services' certificate, which names their listen addresses and {@code
 *     instance.lambdafs.internal}; empty if {@code ca} is
 * @param key PEM file of its key; empty if {@code ca} is
 * @param plainBeyondLoopback whether the gateway may listen for other machines without TLS, and whether a ZooKeeper
 *     ensemble, which never uses TLS, may be on other machines
 */
public record EncryptionSettings(
        boolean enabled, String ca, String certificate, String key, boolean plainBeyondLoopback) {
    public EncryptionSettings {
        check(
                ca.isEmpty() == certificate.isEmpty() && ca.isEmpty() == key.isEmpty(),
                "tls.certificate",
                "given together with tls.ca and tls.key, or empty like them",
                certificate);
    }

    /** Returns whether CA and certificates are the cluster's own. */
    public boolean isOwn() {
        return ca.isEmpty();
    }
}
