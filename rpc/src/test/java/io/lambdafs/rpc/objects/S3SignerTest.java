package io.lambdafs.rpc.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.objects.SignedRequest.Method;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3SignerTest {
    private static final long NOW = Instant.parse("2013-05-24T00:00:00Z").toEpochMilli();
    private static final S3Credentials CREDENTIALS =
            new S3Credentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "");

    /** The example of Amazon's documentation, "Authenticating requests: using query parameters". */
    @Test
    void shouldSignAsAmazonDoes() {
        S3Signer signer = new S3Signer(
                URI.create("https://examplebucket.s3.amazonaws.com"), "/", Optional.empty(), "us-east-1", CREDENTIALS);

        assertThat(signer.url("GET", "test.txt", Map.of(), NOW, Duration.ofDays(1)))
                .isEqualTo("https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                        + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                        + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                        + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
    }

    @Test
    void shouldSignWhatAWriteMustSay() {
        S3Signer signer = S3Signer.of(
                ObjectPlace.of("s3://bucket/a"), Optional.empty(), Optional.of("AES256"), "eu-west-1", CREDENTIALS);

        SignedRequest put = signer.sign(Method.PUT, "k", NOW, Duration.ofMinutes(10));

        assertThat(put.headers()).isEqualTo(Map.of("if-none-match", "*", "x-amz-server-side-encryption", "AES256"));
        assertThat(put.url())
                .startsWith("https://bucket.s3.eu-west-1.amazonaws.com/a/k?")
                .contains("X-Amz-SignedHeaders=host%3Bif-none-match%3Bx-amz-server-side-encryption");
        assertThat(signer.sign(Method.GET, "k", NOW, Duration.ofMinutes(10)).headers())
                .isEmpty();
        assertThat(put.toString()).doesNotContain("Signature");
    }

    @Test
    void shouldFindServersOfBuckets() {
        assertThat(S3Signer.of(
                                ObjectPlace.of("s3://bucket/a"),
                                Optional.empty(),
                                Optional.empty(),
                                "cn-north-1",
                                CREDENTIALS)
                        .sign(Method.GET, "k", NOW, Duration.ofMinutes(10))
                        .url())
                .startsWith("https://bucket.s3.cn-north-1.amazonaws.com.cn/a/k?");
        assertThat(url("s3://a.dotted.bucket/x", Optional.empty()))
                .startsWith("https://s3.us-east-1.amazonaws.com/a.dotted.bucket/x/k?");
        assertThat(url("s3://bucket", Optional.of(URI.create("http://h:9000")))).startsWith("http://h:9000/bucket/k?");
    }

    /** The path is signed as it is sent: by the octets of its name. */
    @Test
    void shouldEncodeWhatAPrefixMayHave() {
        assertThat(url("s3://bucket/day=1/a+b! c", Optional.of(ObjectPlace.endpoint("http://h:9000/"))))
                .startsWith("http://h:9000/bucket/day%3D1/a%2Bb%21%20c/k?");
        assertThat(AzureSigner.of(
                                ObjectPlace.of("az://container/day=1/a+b! c"),
                                "AccountName=me;AccountKey=AAAA;BlobEndpoint=http://h/me/")
                        .sign(Method.GET, "k", NOW, Duration.ofMinutes(1))
                        .url())
                .startsWith("http://h/me/container/day%3D1/a%2Bb%21%20c/k?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h:9000", "http://h/path", "http://h/?x=1", "s3://h", "http://"})
    void shouldRefuseWhatIsNoEndpoint(String text) {
        assertThatThrownBy(() -> ObjectPlace.endpoint(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    private static String url(String place, Optional<URI> endpoint) {
        return S3Signer.of(ObjectPlace.of(place), endpoint, Optional.empty(), S3Signer.region(Map.of()), CREDENTIALS)
                .sign(Method.GET, "k", NOW, Duration.ofMinutes(1))
                .url();
    }

    @Test
    void shouldTakeCredentialsFromTheEnvironment() {
        Map<String, String> environment =
                Map.of("AWS_ACCESS_KEY_ID", "a", "AWS_SECRET_ACCESS_KEY", "s", "AWS_SESSION_TOKEN", "t/+");

        S3Credentials credentials = S3Credentials.of(environment);

        assertThat(credentials).isEqualTo(new S3Credentials("a", "s", "t/+"));
        assertThat(credentials.toString()).doesNotContain("s,", "t/");
        assertThat(ObjectSigners.of(Map.of("n", "s3://bucket"), "", "", environment)
                        .get("n")
                        .sign(Method.GET, "k", NOW, Duration.ofMinutes(1))
                        .url())
                .contains("&X-Amz-Security-Token=t%2F%2B&X-Amz-SignedHeaders=");
        assertThatThrownBy(() -> S3Credentials.of(Map.of("AWS_ACCESS_KEY_ID", "a")))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_DENIED))
                .hasMessageContaining("AWS_SECRET_ACCESS_KEY");
    }
}
