package io.lambdafs.rpc.tls;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of a process's TLS. Immutable.
 *
 * @param ca certificates of the trusted authorities
 * @param own this process's certificate and key; empty for users
 */
public record TlsFiles(Path ca, Optional<Own> own) {
    /**
     * A service's certificate and key.
     *
     * @param certificate its certificate first, then those between it and the CA
     * @param key of its certificate, PKCS #8, not encrypted
     */
    public record Own(Path certificate, Path key) {}

    /** Returns a user's files. */
    public static TlsFiles ofUser(Path ca) {
        return new TlsFiles(ca, Optional.empty());
    }

    /**
     * Returns a service's files, from {@code tlsCa}, {@code tlsCertificate} and {@code tlsKey}; empty without any of
     * them, for no TLS.
     *
     * @throws IllegalArgumentException if only some are given
     */
    public static Optional<TlsFiles> ofService(
            @Nullable String ca, @Nullable String certificate, @Nullable String key) {
        if (ca == null && certificate == null && key == null) {
            return Optional.empty();
        }
        if (ca == null || certificate == null || key == null) {
            throw new IllegalArgumentException("tlsCa, tlsCertificate and tlsKey are needed together");
        }
        return Optional.of(new TlsFiles(Path.of(ca), Optional.of(new Own(Path.of(certificate), Path.of(key)))));
    }
}
