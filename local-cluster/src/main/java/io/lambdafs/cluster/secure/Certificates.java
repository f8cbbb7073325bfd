package io.lambdafs.cluster.secure;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.EncryptionSettings;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Manages a cluster's own CA and certificates: {@code ca.pem}, and a certificate and key for each role, in a folder
 * readable only by its owner. Certificates that expire soon, or do not name the listen address, are replaced; processes
 * reload them automatically. Stateless.
 */
public final class Certificates {
    private static final Duration RENEWED_BEFORE_END = Duration.ofDays(30);
    private static final int NAME_DNS = 2;
    private static final int NAME_IP = 7;

    /** The role of a certificate's holder. */
    public enum Role {
        GATEWAY,
        STORE,
        DATANODE,
        INSTANCE,
        /** Commands. */
        OPERATOR;

        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private Certificates() {}

    /** Returns a role's TLS files: configured ones, or the cluster's own; empty without TLS. */
    public static Optional<TlsFiles> files(ClusterDirectory directory, ClusterSettings settings, Role role) {
        EncryptionSettings tls = settings.tls();
        if (!tls.enabled()) {
            return Optional.empty();
        }
        if (!tls.isOwn()) {
            return TlsFiles.ofService(
                    absolute(directory, tls.ca()),
                    absolute(directory, tls.certificate()),
                    absolute(directory, tls.key()));
        }
        Path folder = directory.tls();
        return TlsFiles.ofService(
                ca(folder).toString(),
                certificate(folder, role.label()).toString(),
                key(folder, role.label()).toString());
    }

    private static String absolute(ClusterDirectory directory, String path) {
        return directory.root().resolve(path).toString();
    }

    private static Path ca(Path folder) {
        return certificate(folder, "ca");
    }

    private static Path certificate(Path folder, String label) {
        return folder.resolve(label + ".pem");
    }

    private static Path key(Path folder, String label) {
        return folder.resolve(label + "-key.pem");
    }

    /** Creates missing certificates and replaces invalid ones; {@code listen} is the gateway's address. */
    static void ensure(Path folder, String listen) {
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            CertificateAuthority authority = authority(folder);
            for (Role role : Role.values()) {
                Set<String> names = names(role, listen);
                if (!isGood(certificate(folder, role.label()), authority.certificate(), names)) {
                    write(folder, role.label(), authority.issue(role.label(), names));
                }
            }
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot keep the cluster's certificates in " + folder, e);
        } catch (GeneralSecurityException e) {
            throw new FsException(
                    ErrorCode.NOT_TRUSTED,
                    "the certificates in " + folder + " cannot be used: " + e.getMessage()
                            + "; stop the cluster, remove the folder, and start it again for new ones",
                    e);
        }
    }

    private static CertificateAuthority authority(Path folder) throws IOException, GeneralSecurityException {
        if (Files.exists(ca(folder))) {
            return new CertificateAuthority(read(ca(folder)), readKey(key(folder, "ca")));
        }
        CertificateAuthority.Issued made = CertificateAuthority.make();
        write(folder, "ca", made);
        return new CertificateAuthority(made.certificate(), made.key());
    }

    private static Set<String> names(Role role, String listen) {
        Set<String> names = new TreeSet<>(List.of("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1"));
        if (role == Role.INSTANCE) {
            names.add(Tls.INSTANCE);
        }
        if (role == Role.GATEWAY) {
            String host = Hosts.bare(listen);
            try {
                InetAddress address = InetAddress.getByName(host);
                if (address.isAnyLocalAddress()) {
                    names.add(InetAddress.getLocalHost().getHostName());
                    names.add(InetAddress.getLocalHost().getHostAddress());
                } else {
                    names.add(address.getHostAddress());
                    if (!host.contains(":")) {
                        names.add(host); // An IPv6 address has many spellings; a certificate contains one.
                    }
                }
            } catch (UnknownHostException unknown) {
                names.add(host);
            }
        }
        return names;
    }

    private static boolean isGood(Path file, X509Certificate authority, Set<String> names)
            throws IOException, GeneralSecurityException {
        if (!Files.exists(file)) {
            return false;
        }
        X509Certificate known = read(file);
        Set<String> named = new TreeSet<>();
        Collection<List<?>> all = known.getSubjectAlternativeNames();
        for (List<?> each : all == null ? List.<List<?>>of() : all) {
            if (each.get(0) instanceof Integer kind && (kind == NAME_DNS || kind == NAME_IP)) {
                named.add(String.valueOf(each.get(1)));
            }
        }
        Instant end = known.getNotAfter().toInstant();
        return named.containsAll(names)
                && end.isAfter(Instant.now().plus(RENEWED_BEFORE_END))
                && known.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
    }

    private static X509Certificate read(Path file) throws IOException, GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(file)));
    }

    private static PrivateKey readKey(Path file) throws IOException, GeneralSecurityException {
        String pem = Files.readString(file).replaceAll("-----[A-Z ]+-----", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
    }

    private static void write(Path folder, String label, CertificateAuthority.Issued issued)
            throws IOException, GeneralSecurityException {
        write(key(folder, label), "PRIVATE KEY", issued.key().getEncoded());
        write(certificate(folder, label), "CERTIFICATE", issued.certificate().getEncoded());
    }

    /** Writes a PEM file atomically, never readable by others. */
    private static void write(Path file, String kind, byte[] content) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        Files.writeString(draft, "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
