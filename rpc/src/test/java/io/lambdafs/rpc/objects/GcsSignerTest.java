package io.lambdafs.rpc.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.objects.SignedRequest.Method;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class GcsSignerTest {
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
    private static final Duration LIFE = Duration.ofMinutes(10);
    private static final String HOST = "storage.googleapis.com";

    /** The public half of the key with which the examples for Google's libraries are signed, and two of them. */
    private static final String GOOGLES_KEY =
            "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArD8zIqyKLbX0Nq8o0Jj1qHEhHhqO3+0OP7TEFx5Vxc6PdwBoFNrf"
                    + "nJRI/S+ZaDYS1avr5Pqpp8g8+UNOMvI1VsjGM8xjTaxkVv8mmKp6pSmQstTt25pzY1exA2wv4xNWSwWNFNx2kh35+kvTQ/DF"
                    + "3YA9P7pUU1sKur1PP8OoubWLFO59iy5UE5dX0O/3pjvZ2HAhSXsx2VWtB5nlrHR8FrKJNLJMEGEDSMz9yRfQaUeYCU9oDYHu"
                    + "iqKQ3rCXi6C82l+3FJw5/ggJ5y7iw8MErCFSslcYQRbBVz6ZYKWkEcJhs8BG3/16bfaqNusNlDIJ99I7DmipUngF/HEulYhf"
                    + "rQIDAQAB";

    private static final String EXAMPLE =
            "https://storage.googleapis.com/test-bucket/test-object?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-"
                    + "Credential=test-iam-credentials%40dummy-project-id.iam.gserviceaccount.com%2F20190201%2Fauto%2Fs"
                    + "torage%2Fgoog4_request&X-Goog-Date=20190201T090000Z&X-Goog-Expires=10&X-Goog-SignedHeaders=";
    private static final String WITH_HEADERS = EXAMPLE
            + "bar%3Bfoo%3Bhost&X-Goog-Signature=68ecd3b008328ed30d91e2fe37444ed7b9b03f28ed4424555b5161980531ef"
            + "87db1c3a5bc0265aad5640af30f96014c94fb2dba7479c41bfe1c020eb90c0c6d387d4dd09d4a5df8b60ea50eb6b01cd"
            + "d786a1e37020f5f95eb8f9b6cd3f65a1f8a8a65c9fcb61ea662959efd9cd73b683f8d8804ef4d6d9b2852419b0133688"
            + "42731359d7f9e6d1139032ceca75d5e67cee5fd0192ea2125e5f2955d38d3d50cf116f3a52e6a62de77f6207f5b95aaa"
            + "1d7d0f8a46de89ea72e7ea30f21286318d7eba0142232b0deb3a1dc9e1e812a981c66b5ffda3c6b01a8a9d1131557923"
            + "09fd53a3acfd054ca7776e8eec28c26480cd1e3c812f67f91d14217f39a606669d";
    private static final String WITH_PARAMETER = EXAMPLE
            + "host&aA0%C3%A9%2F%3D%25-_.~=~%20._-%25%3D%2F%C3%A90Aa&X-Goog-Signature=0e4f289c28626a32af95d78f5"
            + "a0d2c75e5f0bef1cfe5035a532a8185e3ad45b1d5e8ad5ae0fb1898420e40a1576479861c6579db7e3b28ef838616099"
            + "5ac1374be85e780ac3dfcc62538e9b2e2c51555950fb6fd0d7ecc509d3ccd9c02af5a6c6eb930d21a7383792300eb50a"
            + "093a597c1da2a290ed56b01844251f8271d0d5e61fc3f4273a0c26f80e061c06124d93346ea1c50388e3fe73494c05ac"
            + "27a54caedc04d1476c276c7602554e4cc1933e41df31ea523f4009e879c92333f98b4313755470d7e400bbbde9f5bef3"
            + "6f40b2a1c4a85edbd62aaa84a516e3df055d5d3f575b9ea0f1c24f057240852d9e618403e1dd2cd0fa7fc16b071b0732"
            + "2172256";

    @TempDir
    private static Path directory;

    private static ServiceAccount account;
    private static ObjectSigner signer;

    @BeforeAll
    static void createAccount() throws IOException {
        account = ServiceAccount.create(directory);
        signer = ObjectSigners.of(Map.of("n", "gs://a.dotted_bucket/a/b"), "", "", environment(account.file()))
                .get("n");
    }

    private static Map<String, String> environment(Path file) {
        return Map.of("GOOGLE_APPLICATION_CREDENTIALS", file.toString());
    }

    private static String refusal(String method, String url, Map<String, String> headers, Instant now) {
        Map<String, String> sent = new HashMap<>(headers);
        sent.putIfAbsent("host", HOST);
        return GoogleServer.refusal(method, URI.create(url), sent, account.key(), now);
    }

    /** The server of these tests is one: it takes what Google has signed, and nothing else. */
    @Test
    void shouldBeJudgedAsGoogleDoes() throws Exception {
        PublicKey googles = KeyFactory.getInstance("RSA")
                .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(GOOGLES_KEY)));
        Instant then = Instant.parse("2019-02-01T09:00:00Z");
        Map<String, String> headers = Map.of("host", HOST, "bar", "BAR-value", "foo", " foo-value ");

        assertThat(GoogleServer.refusal("GET", URI.create(WITH_HEADERS), headers, googles, then))
                .isEmpty();
        assertThat(GoogleServer.refusal("GET", URI.create(WITH_PARAMETER), Map.of("host", HOST), googles, then))
                .isEmpty();
        assertThat(GoogleServer.refusal("PUT", URI.create(WITH_HEADERS), headers, googles, then))
                .isEqualTo("SignatureDoesNotMatch");
        assertThat(GoogleServer.refusal("GET", URI.create(WITH_HEADERS), headers, account.key(), then))
                .isEqualTo("SignatureDoesNotMatch");
    }

    @Test
    void shouldSignWhatGooglesServerTakes() {
        for (Method method : Method.values()) {
            SignedRequest signed = signer.sign(method, "k/1", NOW.toEpochMilli(), LIFE);

            assertThat(refusal(method.name(), signed.url(), signed.headers(), NOW))
                    .as(method.name())
                    .isEmpty();
            assertThat(signed.url())
                    .startsWith(
                            "https://" + HOST + "/a.dotted_bucket/a/b/k/1?X-Goog-Algorithm=GOOG4-RSA-SHA256"
                                    + "&X-Goog-Credential=signer%40a-project.iam.gserviceaccount.com%2F20261126%2Fauto%2Fstorage")
                    .contains("&X-Goog-Date=20261126T120000Z&X-Goog-Expires=600&X-Goog-SignedHeaders=host");
            assertThat(signed.toString()).doesNotContain("Signature");
        }
    }

    @Test
    void shouldReplaceNoObject() {
        SignedRequest put = signer.sign(Method.PUT, "k", NOW.toEpochMilli(), LIFE);

        assertThat(put.headers()).isEqualTo(Map.of("x-goog-if-generation-match", "0"));
        assertThat(signer.sign(Method.GET, "k", NOW.toEpochMilli(), LIFE).headers())
                .isEmpty();
        assertThat(refusal("PUT", put.url(), Map.of(), NOW)).isEqualTo("SignatureDoesNotMatch");
        assertThat(refusal("PUT", put.url(), Map.of("x-goog-if-generation-match", "1"), NOW))
                .isEqualTo("SignatureDoesNotMatch");
    }

    @Test
    void shouldSignNothingElse() {
        SignedRequest get = signer.sign(Method.GET, "k", NOW.toEpochMilli(), LIFE);
        String url = get.url();
        Instant end = NOW.plus(LIFE);

        assertThat(refusal("GET", url, Map.of("range", "bytes=0-9"), end)).isEmpty();
        assertThat(refusal("GET", url, Map.of(), end.plusSeconds(1))).isEqualTo("ExpiredToken");
        assertThat(refusal("PUT", url, Map.of(), NOW)).isEqualTo("SignatureDoesNotMatch");
        assertThat(refusal("DELETE", url, Map.of(), NOW)).isEqualTo("SignatureDoesNotMatch");
        assertThat(refusal("GET", url.replace("/k?", "/l?"), Map.of(), NOW)).isEqualTo("SignatureDoesNotMatch");
        assertThat(refusal("GET", url.replace("dotted_bucket", "dotted_packet"), Map.of(), NOW))
                .isEqualTo("SignatureDoesNotMatch");
        assertThat(refusal("GET", url.replace("Expires=600", "Expires=6000"), Map.of(), NOW))
                .isEqualTo("SignatureDoesNotMatch");
        assertThat(refusal("GET", url + "&generation=1", Map.of(), NOW)).isEqualTo("SignatureDoesNotMatch");
        assertThat(refusal("GET", url, Map.of("host", "elsewhere"), NOW)).isEqualTo("SignatureDoesNotMatch");
        assertThat(refusal("GET", url, Map.of("x-goog-user-project", "p"), NOW)).isEqualTo("SignatureDoesNotMatch");
    }

    @Test
    void shouldSignForAnEmulator() {
        Map<String, String> environment = new HashMap<>(environment(account.file()));
        environment.put("STORAGE_EMULATOR_HOST", "localhost:4443");

        String url = ObjectSigners.of(Map.of("n", "gs://bucket"), "", "", environment)
                .get("n")
                .sign(Method.GET, "k", NOW.toEpochMilli(), LIFE)
                .url();

        assertThat(url).startsWith("http://localhost:4443/bucket/k?");
        assertThat(refusal("GET", url, Map.of("host", "localhost:4443"), NOW)).isEmpty();
    }

    @Test
    void shouldSayWhatIsWrongWithCredentialsAndNotWhatTheyAre() throws IOException {
        assertThat(GcsCredentials.of(environment(account.file())).toString())
                .isEqualTo("GcsCredentials[" + ServiceAccount.NAME + "]");
        refuses(Map.of(), "GOOGLE_APPLICATION_CREDENTIALS");
        refuses(environment(directory.resolve("none.json")), "none.json");
        refuses(environment(file("{\"type\": \"authorized_user\", \"refresh_token\": \"hidden\"}")), "client_email");
        refuses(environment(file(ServiceAccount.json("PRIVATE KEY", "aGlkZGVu"))), "PKCS #8");
        refuses(environment(file(ServiceAccount.json("RSA PRIVATE KEY", "aGlkZGVu"))), "PKCS #8");
    }

    private static Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("other.json"), text);
    }

    private static void refuses(Map<String, String> environment, String named) {
        assertThatThrownBy(() -> GcsCredentials.of(environment))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_DENIED))
                .hasMessageContaining(named)
                .hasMessageNotContainingAny("hidden", "aGlkZGVu");
    }
}
