package io.lambdafs.rpc.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A certificate chain and its private key; prints neither. Immutable. */
record PemPair(PrivateKey key, List<X509Certificate> chain) {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    /** Parses both; fails if they are not PEM or do not match, for instance while files are being replaced. */
    static PemPair of(byte[] certificate, byte[] key) throws IOException {
        try {
            List<X509Certificate> chain =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(certificate))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (chain.isEmpty()) {
                throw new IOException("there is no certificate");
            }
            Matcher pem = KEY.matcher(new String(key, StandardCharsets.US_ASCII));
            if (!pem.find()) {
                throw new IOException("there is no unencrypted PKCS #8 key");
            }
            String algorithm = chain.get(0).getPublicKey().getAlgorithm();
            PrivateKey secret = KeyFactory.getInstance(algorithm)
                    .generatePrivate(
                            new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1))));
            demandPair(secret, chain.get(0), algorithm);
            return new PemPair(secret, chain);
        } catch (GeneralSecurityException e) {
            throw new IOException("certificate and key cannot be used: " + e.getMessage(), e);
        }
    }

    private static void demandPair(PrivateKey key, X509Certificate certificate, String algorithm)
            throws GeneralSecurityException, IOException {
        String name = switch (algorithm) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> algorithm;
        };
        byte[] text = "whose key is this".getBytes(StandardCharsets.US_ASCII);
        Signature signing = Signature.getInstance(name);
        signing.initSign(key);
        signing.update(text);
        Signature check = Signature.getInstance(name);
        check.initVerify(certificate.getPublicKey());
        check.update(text);
        if (!check.verify(signing.sign())) {
            throw new IOException("the key is not that of the certificate");
        }
    }

    @Override
    public String toString() {
        return "certificate and key";
    }
}
