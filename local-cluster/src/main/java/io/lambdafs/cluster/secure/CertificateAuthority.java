package io.lambdafs.cluster.secure;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority on the P-256 curve. Immutable; prints no key. */
record CertificateAuthority(X509Certificate certificate, PrivateKey key) {
    private static final Duration LIFE = Duration.ofDays(3_650);
    private static final Duration LIFE_OF_ISSUED = Duration.ofDays(365);
    /** Start of validity before now, because other machines' clocks may be behind. */
    private static final Duration BEGUN = Duration.ofHours(1);

    private static final int SERIAL_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A certificate and its key; prints no key. */
    record Issued(X509Certificate certificate, PrivateKey key) {
        @Override
        public String toString() {
            return certificate.getSubjectX500Principal().getName();
        }
    }

    /** Creates a new authority. */
    static Issued make() throws GeneralSecurityException {
        KeyPair pair = pair();
        X500Name name = new X500Name("CN=lambdafs cluster CA " + new BigInteger(SERIAL_BITS / 2, RANDOM).toString(16));
        try {
            X509v3CertificateBuilder builder = builder(name, name, pair.getPublic(), LIFE)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            return new Issued(signed(builder, pair.getPrivate()), pair.getPrivate());
        } catch (IOException | OperatorCreationException e) {
            throw new GeneralSecurityException("cannot make a certificate", e);
        }
    }

    /**
     * Issues a certificate for both ends of TLS.
     *
     * @param names host names or addresses
     */
    Issued issue(String role, Set<String> names) throws GeneralSecurityException {
        KeyPair pair = pair();
        X500Name issuer =
                X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        GeneralName[] alternatives = names.stream()
                .map(name -> new GeneralName(isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName, name))
                .toArray(GeneralName[]::new);
        try {
            JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
            X509v3CertificateBuilder builder = builder(
                            issuer, new X500Name("CN=lambdafs " + role), pair.getPublic(), LIFE_OF_ISSUED)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(new KeyPurposeId[] {
                        KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                    }))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            extensions.createAuthorityKeyIdentifier(certificate))
                    .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
            return new Issued(signed(builder, key), pair.getPrivate());
        } catch (IOException | OperatorCreationException e) {
            throw new GeneralSecurityException("cannot make a certificate", e);
        }
    }

    private static X509v3CertificateBuilder builder(X500Name issuer, X500Name subject, PublicKey key, Duration life) {
        Instant now = Instant.now();
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, RANDOM),
                Date.from(now.minus(BEGUN)),
                Date.from(now.plus(life)),
                subject,
                key);
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException, OperatorCreationException {
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key)));
    }

    private static KeyPair pair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
        return generator.generateKeyPair();
    }

    private static boolean isAddress(String name) {
        return name.contains(":") || name.matches("[0-9.]+");
    }

    @Override
    public String toString() {
        return certificate.getSubjectX500Principal().getName();
    }
}
