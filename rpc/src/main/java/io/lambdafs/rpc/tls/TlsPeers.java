package io.lambdafs.rpc.tls;

/** The kinds of peers at the ends of a TLS connection. */
public enum TlsPeers {
    /** Two services: each presents a certificate, and the dialled one's names its address. */
    SERVICES,
    /** A service dials an instance, which may have any address: its certificate names {@link Tls#INSTANCE}. */
    INSTANCES,
    /** A user, without a certificate, dials a service. */
    USERS,
    /**
     * An instance dials a user. The user has no certificate, so the instance is the server of TLS; the user checks that
     * its certificate names {@link Tls#INSTANCE}.
     */
    INSTANCE_TO_USER
}
