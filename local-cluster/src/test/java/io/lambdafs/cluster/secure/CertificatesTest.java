package io.lambdafs.cluster.secure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificatesTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"[::1]", "::1", "[fd00::7]", "127.0.0.1", "localhost", "0.0.0.0"})
    void shouldNameTheGatewaysAddressAndStayGood(String listen) throws Exception {
        Certificates.ensure(folder, listen);
        Path file = folder.resolve("gateway.pem");
        byte[] made = Files.readAllBytes(file);

        assertThat(names(file)).noneMatch(name -> name.contains("["));
        Certificates.ensure(folder, listen);
        assertThat(Files.readAllBytes(file))
                .as("the certificate after another start")
                .isEqualTo(made);
    }

    @Test
    void shouldNameAnIpv6AddressAsAnAddress() throws Exception {
        Certificates.ensure(folder, "[fd00::7]");

        assertThat(names(folder.resolve("gateway.pem"))).contains("fd00:0:0:0:0:0:0:7");
    }

    private static Iterable<String> names(Path file) throws Exception {
        try (InputStream content = Files.newInputStream(file)) {
            X509Certificate certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(content);
            return certificate.getSubjectAlternativeNames().stream()
                    .map(each -> String.valueOf(each.get(1)))
                    .toList();
        }
    }
}
