package io.lambdafs.door.s3.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.body.HttpBody;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of AWS's documentation, and what is wrong with them. */
class SignaturesTest {
    private static final Instant THEN = Instant.parse("2013-05-24T00:00:00Z");
    private static final String SCOPE = "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request";
    private static final String HOST = "examplebucket.s3.amazonaws.com";
    private static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    private static final int CHUNK = 64 << 10;

    @TempDir
    private Path folder;

    private AccessKeys keys;

    @BeforeEach
    void addTheKey() throws IOException {
        Path file = folder.resolve("keys.json");
        AccessKeys.add(
                file,
                new AccessKey("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "alice", List.of()));
        keys = AccessKeys.open(file);
    }

    private Signed verify(HttpCall call, Instant now) {
        return new Signatures(keys, () -> now).verify(call);
    }

    private static HttpCall call(String method, String path, Map<String, String> query, Map<String, String> headers) {
        return new HttpCall(method, path, query, headers, new byte[0], new InetSocketAddress(1));
    }

    private static HttpCall get(String signature) {
        return call(
                "GET",
                "/test.txt",
                Map.of(),
                Map.of(
                        "host",
                        HOST,
                        "range",
                        "bytes=0-9",
                        "x-amz-content-sha256",
                        EMPTY,
                        "x-amz-date",
                        "20130524T000000Z",
                        "authorization",
                        "AWS4-HMAC-SHA256 Credential=" + SCOPE
                                + ",SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=" + signature));
    }

    private static final String GET_SIGNATURE = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41";

    private static HttpCall presigned() {
        Map<String, String> query = new TreeMap<>();
        query.put("X-Amz-Algorithm", "AWS4-HMAC-SHA256");
        query.put("X-Amz-Credential", SCOPE);
        query.put("X-Amz-Date", "20130524T000000Z");
        query.put("X-Amz-Expires", "86400");
        query.put("X-Amz-SignedHeaders", "host");
        query.put("X-Amz-Signature", "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
        return call("GET", "/test.txt", query, Map.of("host", HOST));
    }

    @Test
    void shouldTakeTheExamples() {
        assertThat(verify(get(GET_SIGNATURE), THEN).key().user()).isEqualTo("alice");
        assertThat(verify(presigned(), THEN.plus(Duration.ofHours(23))).key().user())
                .isEqualTo("alice");
    }

    /** Clients that set {@code Date} themselves, like botocore, send no {@code x-amz-date}. */
    @ParameterizedTest
    @CsvSource({
        "'Fri, 24 May 2013 00:00:00 GMT', SIGNATURE_DOES_NOT_MATCH",
        "'Fri, 24 May 2013 00:16:00 GMT', REQUEST_TIME_TOO_SKEWED",
        "yesterday, ACCESS_DENIED"
    })
    void shouldTakeTheTimeOfTheHeaderDate(String date, S3Code expected) {
        Map<String, String> headers = new TreeMap<>(get(GET_SIGNATURE).headers());
        headers.remove("x-amz-date");
        headers.put("date", date);
        assertThat(code(call("GET", "/test.txt", Map.of(), headers), THEN)).isEqualTo(expected);
    }

    @Test
    void shouldRefuseAnotherSignature() {
        assertThat(code(get(GET_SIGNATURE.replace('f', 'e')), THEN)).isEqualTo(S3Code.SIGNATURE_DOES_NOT_MATCH);
    }

    @ParameterizedTest
    @CsvSource({"-16", "16", "1000000"})
    void shouldRefuseAClockThatDiffers(long minutes) {
        assertThat(code(get(GET_SIGNATURE), THEN.plus(Duration.ofMinutes(minutes))))
                .isEqualTo(S3Code.REQUEST_TIME_TOO_SKEWED);
    }

    @ParameterizedTest
    @CsvSource({"-16", "1441"})
    void shouldRefuseAUrlBeforeAndAfterItsLife(long minutes) {
        assertThat(code(presigned(), THEN.plus(Duration.ofMinutes(minutes)))).isEqualTo(S3Code.ACCESS_DENIED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AWS4-HMAC-SHA256",
                "AWS4-HMAC-SHA256 Credential=x",
                "AWS4-HMAC-SHA256 Credential=a/b,SignedHeaders=host,Signature=00",
                "AWS AKIAIOSFODNN7EXAMPLE:frJIUN8DYpKDtOLCwo//yllqDzg=",
                "Bearer x"
            })
    void shouldRefuseWhatIsNoSignatureOfVersion4(String header) {
        HttpCall call = call("GET", "/", Map.of(), Map.of("host", HOST, "authorization", header));
        assertThat(code(call, THEN)).isIn(S3Code.AUTHORIZATION_HEADER_MALFORMED, S3Code.INVALID_REQUEST);
    }

    @Test
    void shouldRefuseHeadersThatAreNotSigned() {
        HttpCall signed = get(GET_SIGNATURE);
        Map<String, String> headers = new TreeMap<>(signed.headers());
        headers.put("x-amz-acl", "public-read");
        assertThat(code(call("GET", "/test.txt", Map.of(), headers), THEN)).isEqualTo(S3Code.ACCESS_DENIED);
    }

    private S3Code code(HttpCall call, Instant now) {
        try {
            verify(call, now);
        } catch (S3Failure e) {
            return e.code();
        }
        throw new AssertionError("it was taken");
    }

    private static HttpCall streamed() {
        return call(
                "PUT",
                "/examplebucket/chunkObject.txt",
                Map.of(),
                Map.of(
                        "host",
                        "s3.amazonaws.com",
                        "x-amz-date",
                        "20130524T000000Z",
                        "x-amz-storage-class",
                        "REDUCED_REDUNDANCY",
                        "x-amz-content-sha256",
                        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
                        "content-encoding",
                        "aws-chunked",
                        "x-amz-decoded-content-length",
                        "66560",
                        "content-length",
                        "66824",
                        "authorization",
                        "AWS4-HMAC-SHA256 Credential=" + SCOPE
                                + ",SignedHeaders=content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;"
                                + "x-amz-decoded-content-length;x-amz-storage-class,Signature="
                                + "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"));
    }

    private static byte[] chunks(String last) {
        String head = "10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n";
        String next = "\r\n400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n";
        String end = "\r\n0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n";
        return (head + "a".repeat(CHUNK) + next + "a".repeat(1_023) + last + end).getBytes(StandardCharsets.US_ASCII);
    }

    /** Takes a body that comes in pieces of some length. */
    private int taken(byte[] bytes, int piece) throws IOException {
        HttpBody body = new HttpBody(() -> {});
        for (int from = 0; from < bytes.length; from += piece) {
            body.add(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + piece)));
        }
        body.end();
        Payload payload = Payload.of(streamed(), verify(streamed(), THEN), body);
        List<Integer> lengths = new ArrayList<>();
        for (ByteBuffer each = payload.next(); each.hasRemaining(); each = payload.next()) {
            lengths.add(each.remaining());
        }
        return lengths.stream().mapToInt(Integer::intValue).sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8_192, 1_000_000})
    void shouldTakeTheExampleOfSignedPieces(int piece) throws IOException {
        assertThat(taken(chunks("a"), piece)).isEqualTo(66_560);
    }

    @Test
    void shouldRefuseAPieceThatIsNotTheOneSigned() {
        assertThatThrownBy(() -> taken(chunks("b"), 8_192))
                .isInstanceOfSatisfying(
                        S3Failure.class, e -> assertThat(e.code()).isEqualTo(S3Code.SIGNATURE_DOES_NOT_MATCH));
    }

    @Test
    void shouldRefuseABodyThatEndsTooSoon() {
        byte[] whole = chunks("a");
        byte[] cut = Arrays.copyOf(whole, whole.length - 200);
        assertThatThrownBy(() -> taken(cut, 8_192)).isInstanceOf(S3Failure.class);
    }
}
