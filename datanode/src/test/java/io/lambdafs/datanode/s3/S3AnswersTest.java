package io.lambdafs.datanode.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/** The exact requests to an object store, and answers that the stand-in does not give. */
class S3AnswersTest {
    private static final int PART = 1 << 20;
    private static final String ENCRYPTION = "x-amz-server-side-encryption";
    private static final AwsCredentialsProvider USER =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("a-user", "a-password"));

    @TempDir
    Path folder;

    /** Requests in order: method, query, encryption. */
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    /** Answers other than success: a status and a code, by method. */
    private final Map<String, String> refusals = new ConcurrentHashMap<>();

    private final AtomicInteger parts = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String query =
                    Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
            String encryption = Optional.ofNullable(exchange.getRequestHeaders().getFirst(ENCRYPTION))
                    .orElse("");
            String method = exchange.getRequestMethod();
            asked.add((method + " " + query + " " + encryption).strip());
            String[] refusal = refusals.getOrDefault(method, "200 ").split(" ", 2);
            String body = query.equals("uploads")
                    ? "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>"
                    : query.equals("uploadId=u") ? "<CompleteMultipartUploadResult/>" : "";
            if (!refusal[0].equals("200")) {
                body = "<Error><Code>" + refusal[1] + "</Code></Error>";
            }
            exchange.getResponseHeaders().set("ETag", "\"" + parts.incrementAndGet() + "\"");
            byte[] bytes = method.equals("HEAD") ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(Integer.parseInt(refusal[0]), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private S3BlockStore store(Optional<String> encryption, AwsCredentialsProvider credentials) {
        URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return S3BlockStore.open(new S3Settings(
                ObjectPlace.of("s3://bucket"),
                Optional.of(endpoint),
                encryption,
                folder.resolve("spool"),
                PART,
                Duration.ofHours(1),
                credentials));
    }

    private static void put(S3BlockStore store, int length) {
        try (BlockStore.Upload upload = store.upload("k")) {
            upload.write(new byte[length], 0, length);
            upload.commit();
        }
    }

    private static void assertFails(ErrorCode code, String why, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(why);
    }

    /** A part takes its encryption from the upload. */
    @Test
    void shouldAskForTheEncryptionThatIsSetAndForNoneElse() {
        try (S3BlockStore store = store(Optional.of("AES256"), USER)) {
            put(store, 1);
            put(store, PART + 1);
        }
        assertThat(asked)
                .containsExactly(
                        "PUT  AES256",
                        "POST uploads AES256",
                        "PUT partNumber=1&uploadId=u",
                        "PUT partNumber=2&uploadId=u",
                        "POST uploadId=u");
        asked.clear();
        try (S3BlockStore store = store(Optional.empty(), USER)) {
            put(store, 1);
            put(store, PART + 1);
        }
        assertThat(asked).startsWith("PUT", "POST uploads").noneMatch(each -> each.contains("AES256"));
    }

    @Test
    void shouldSendNoPartWithoutBytes() {
        try (S3BlockStore store = store(Optional.empty(), USER)) {
            put(store, 2 * PART);
        }
        assertThat(asked)
                .containsExactly(
                        "POST uploads",
                        "PUT partNumber=1&uploadId=u",
                        "PUT partNumber=2&uploadId=u",
                        "POST uploadId=u");
    }

    @Test
    void shouldDropAnUploadThatIsNotCommittedOnce() {
        try (S3BlockStore store = store(Optional.empty(), USER)) {
            BlockStore.Upload upload = store.upload("k");
            upload.write(new byte[PART], 0, PART);
            asked.clear();
            upload.close();
            upload.close();
            assertThat(asked).containsExactly("DELETE uploadId=u");
            refusals.put("DELETE", "404 NoSuchUpload");
            store.drop(new BlockStore.UnfinishedUpload("k", "u"));
            refusals.put("DELETE", "403 AccessDenied");
            assertFails(
                    ErrorCode.PERMISSION_DENIED,
                    "cannot drop the upload of k",
                    () -> store.drop(new BlockStore.UnfinishedUpload("k", "u")));
        }
    }

    /** One that is in no bucket at all is not gone: its row must stay. */
    @Test
    void shouldTellAnObjectThatIsGoneFromABucketThatIs() {
        try (S3BlockStore store = store(Optional.empty(), USER)) {
            assertThat(store.delete("k")).isTrue();
            refusals.put("DELETE", "404 NoSuchKey");
            assertThat(store.delete("k")).isFalse();
            refusals.put("DELETE", "404 NoSuchBucket");
            assertFails(ErrorCode.UNAVAILABLE, "no such bucket", () -> store.delete("k"));
            refusals.put("DELETE", "403 AccessDenied");
            assertFails(ErrorCode.PERMISSION_DENIED, "cannot delete k in s3://bucket/", () -> store.delete("k"));
        }
    }

    @Test
    void shouldNameWhatItCouldNotDo() {
        refusals.putAll(Map.of("GET", "403 AccessDenied", "HEAD", "403 ", "PUT", "403 AccessDenied"));
        refusals.put("POST", "403 AccessDenied");
        ErrorCode denied = ErrorCode.PERMISSION_DENIED;
        try (S3BlockStore store = store(Optional.empty(), USER)) {
            assertFails(denied, "cannot look at k", () -> store.length("k"));
            assertFails(denied, "cannot read k", () -> store.read("k", 0, new byte[1], 0, 1));
            assertFails(denied, "cannot list blocks/", () -> store.list("blocks/", "", 10));
            assertFails(denied, "cannot list uploads of blocks/", () -> store.unfinished("blocks/", "", 10));
            assertFails(denied, "cannot write k", () -> put(store, 1));
            assertFails(denied, "cannot write k", () -> put(store, PART));
            refusals.put("HEAD", "404 ");
            assertThat(store.length("k")).isEmpty();
            refusals.put("GET", "416 InvalidRange");
            assertThat(store.read("k", 5, new byte[1], 0, 1)).isZero();
        }
        assertThat(folder.resolve("spool")).isEmptyDirectory();
    }

    @Test
    void shouldSayThatThereAreNoCredentials() {
        AwsCredentialsProvider none = AwsCredentialsProviderChain.builder()
                .addCredentialsProvider(() -> {
                    throw SdkClientException.create("none here");
                })
                .build();
        try (S3BlockStore store = store(Optional.empty(), none)) {
            assertFails(ErrorCode.PERMISSION_DENIED, "there are no credentials", () -> store.length("k"));
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void shouldEmptyItsFolderForUploadsAndSayWhereItHasNone() throws IOException {
        Path left = Files.createDirectories(folder.resolve("spool")).resolve("17");
        Files.writeString(left, "left");
        try (S3BlockStore store = store(Optional.empty(), USER)) {
            assertThat(left).doesNotExist();
            Files.delete(folder.resolve("spool"));
            assertFails(ErrorCode.UNAVAILABLE, "cannot keep a part of k", () -> store.upload("k"));
            assertThat(store.space().capacityBytes()).isZero();
        }
        Files.writeString(folder.resolve("spool"), "a file");
        assertFails(ErrorCode.UNAVAILABLE, "cannot use the folder", () -> store(Optional.empty(), USER));
    }
}
