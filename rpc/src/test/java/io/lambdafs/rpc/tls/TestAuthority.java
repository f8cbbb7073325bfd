package io.lambdafs.rpc.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A CA for a test, with its files in a folder. */
public final class TestAuthority {
    private static final Duration DAY = Duration.ofDays(1);

    private final Path folder;
    private final X509Bundle authority;
    private final Path ca;

    public TestAuthority(Path folder) throws Exception {
        this.folder = folder;
        authority = new CertificateBuilder()
                .ecp256()
                .subject("CN=test CA")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        ca = Files.writeString(Files.createTempFile(folder, "ca", ".pem"), authority.getCertificatePEM());
    }

    /** For users. */
    public Tls user() {
        return Tls.of(TlsFiles.ofUser(ca));
    }

    /** For a service of these names. */
    public Tls service(String... names) throws Exception {
        return Tls.of(files(Instant.now().plus(DAY), names));
    }

    /** Files whose certificate ends at that time. */
    public TlsFiles files(Instant end, String... names) throws Exception {
        Path certificate = Files.createTempFile(folder, "certificate", ".pem");
        TlsFiles files = new TlsFiles(
                ca, Optional.of(new TlsFiles.Own(certificate, Files.createTempFile(folder, "key", ".pem"))));
        issue(files, end, names);
        return files;
    }

    /** Replaces what is in such files. */
    public void issue(TlsFiles files, Instant end, String... names) throws Exception {
        CertificateBuilder builder = new CertificateBuilder()
                .ecp256()
                .subject("CN=test service")
                .notBefore(Instant.now().minus(DAY.multipliedBy(2)))
                .notAfter(end)
                .addExtendedKeyUsageServerAuth()
                .addExtendedKeyUsageClientAuth();
        for (String name : names) {
            builder = name.matches("[0-9.]+") ? builder.addSanIpAddress(name) : builder.addSanDnsName(name);
        }
        X509Bundle issued = builder.buildIssuedBy(authority);
        TlsFiles.Own own = files.own().orElseThrow();
        replace(own.key(), issued.getPrivateKeyPEM());
        replace(own.certificate(), issued.getCertificatePathPEM());
    }

    private static void replace(Path file, String text) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(draft, text);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
