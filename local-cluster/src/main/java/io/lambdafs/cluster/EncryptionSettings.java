package io.lambdafs.cluster;

import static io.lambdafs.cluster.SettingsCheck.check;

/**
 * TLS on all connections. Without files of one's own a CA and certificates are made in the cluster's directory.
 *
 * @param enabled whether there is TLS
 * @param ca PEM file of the CA that is trusted; empty for the cluster's own
 * @param certificate PEM file of what all services show, which names the addresses that they listen on and {@code
 *     instance.lambdafs.internal}; empty where the CA's is
 * @param key PEM file of its key; empty where the CA's is
 * @param plainBeyondLoopback whether the gateway may listen for other machines without TLS, and an ensemble of ZooKeeper servers be on
 *     others, which is never spoken to with TLS
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

    /** Whether CA and certificates are the cluster's own. */
    boolean isOwn() {
        return ca.isEmpty();
    }
}
