package io.lambdafs.rpc.tls;

/** The peers at the ends of a transport's connections. */
public enum TlsPeers {
    /** Services both: each shows a certificate, and whoever is dialled has one that names the address that was dialled. */
    SERVICES,
    /** The same where an instance is dialled, which may have any address: its certificate names {@link Tls#INSTANCE}. */
    INSTANCES,
    /** A user dials a service, and shows none. */
    USERS,
    /**
     * An instance dials a user. The user has no certificate, so the instance is the server of TLS; the user checks that its certificate
     * names {@link Tls#INSTANCE}.
     */
    INSTANCE_TO_USER
}
