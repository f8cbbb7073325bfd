package io.lambdafs.rpc.tls;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * PEM files. Immutable.
 *
 * @param ca certificates of the authorities that are trusted
 * @param own what this process shows; none for users
 */
public record TlsFiles(Path ca, Optional<Own> own) {
    /**
     * What a service shows.
     *
     * @param certificate its certificate first, then those between it and the CA
     * @param key of its certificate, PKCS #8, not encrypted
     */
    public record Own(Path certificate, Path key) {}

    /** What a user needs. */
    public static TlsFiles ofUser(Path ca) {
        return new TlsFiles(ca, Optional.empty());
    }

    /**
     * What a service is configured with: {@code tlsCa}, {@code tlsCertificate} and {@code tlsKey}, or none of them, for no TLS.
     *
     * @throws IllegalArgumentException there are some of them only
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
