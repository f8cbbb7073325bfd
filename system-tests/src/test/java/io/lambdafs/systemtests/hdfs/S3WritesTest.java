package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.door.s3.S3Door;
import io.lambdafs.door.s3.S3DoorConfig;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.ObjectAttributes;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.ObjectPart;

/** Conditional writes, copies and uploads in parts at S3 doors of this JVM. */
class S3WritesTest extends S3DoorCase {
    private static final int WRITERS = 16;
    private static final int ROUNDS = 12;
    private static final int PART = 5 << 20;

    private String etag(String key) {
        return s3.headObject(request -> request.bucket(BUCKET).key(key)).eTag();
    }

    private int putIf(S3Client client, String key, String match, String noneMatch, byte[] content) {
        return status(() -> client.putObject(
                request -> request.bucket(BUCKET).key(key).ifMatch(match).ifNoneMatch(noneMatch),
                RequestBody.fromBytes(content)));
    }

    @Test
    void shouldWriteUnderConditions() {
        assertThat(putIf(s3, "key", "*", null, bytes(1))).isEqualTo(404);
        assertThat(putIf(s3, "key", null, "*", bytes(1))).isEqualTo(200);
        String first = etag("key");
        assertThat(putIf(s3, "key", null, "*", bytes(2))).isEqualTo(412);
        assertThat(putIf(s3, "key", null, first, bytes(2))).isEqualTo(412);
        assertThat(putIf(s3, "key", "\"other\"", null, bytes(2))).isEqualTo(412);
        assertThat(putIf(s3, "key", first, null, bytes(2))).isEqualTo(200);
        assertThat(putIf(s3, "key", first, null, bytes(3))).isEqualTo(412);
        assertThat(putIf(s3, "key", "*", null, bytes(3))).isEqualTo(200);
        assertThat(get("key")).isEqualTo(bytes(3));

        assertThat(status(() -> s3.copyObject(request -> request.sourceBucket(BUCKET)
                        .sourceKey("key")
                        .destinationBucket(BUCKET)
                        .destinationKey("copy")
                        .ifNoneMatch("*"))))
                .isEqualTo(200);
        assertThat(status(() -> s3.copyObject(request -> request.sourceBucket(BUCKET)
                        .sourceKey("key")
                        .destinationBucket(BUCKET)
                        .destinationKey("copy")
                        .ifNoneMatch("*"))))
                .isEqualTo(412);

        assertThat(status(() -> s3.deleteObject(
                        request -> request.bucket(BUCKET).key("key").ifMatch(first))))
                .isEqualTo(412);
        Delete wrong = Delete.builder()
                .objects(ObjectIdentifier.builder().key("key").size(4L).build())
                .build();
        assertThat(s3.deleteObjects(request -> request.bucket(BUCKET).delete(wrong))
                        .errors())
                .singleElement()
                .satisfies(error -> assertThat(error.code()).isEqualTo("PreconditionFailed"));
        assertThat(status(() -> s3.deleteObject(
                        request -> request.bucket(BUCKET).key("key").ifMatch(etag("key")))))
                .isEqualTo(200);
        assertThat(status(() -> get("key"))).isEqualTo(404);
    }

    /** Runs as many calls at the same moment as there are writers; returns their answers. */
    private static List<Integer> race(ExecutorService threads, List<Callable<Integer>> calls) throws Exception {
        CyclicBarrier start = new CyclicBarrier(calls.size());
        List<Future<Integer>> answers = new ArrayList<>();
        for (Callable<Integer> each : calls) {
            answers.add(threads.submit(() -> {
                start.await();
                return each.call();
            }));
        }
        List<Integer> all = new ArrayList<>();
        for (Future<Integer> each : answers) {
            all.add(each.get());
        }
        return all;
    }

    @Test
    void shouldLetOneOfManyWritersWinThroughTwoDoors() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<S3Client> clients = new ArrayList<>();
        try (S3Door second = S3Door.start(S3DoorConfig.of(cluster.directory(), ROOT, "", 0))) {
            URI other = URI.create("http://127.0.0.1:" + second.address().getPort());
            IntStream.range(0, WRITERS).forEach(i -> clients.add(client(mine, i % 2 == 0 ? address() : other)));
            for (int round = 0; round < ROUNDS; round++) {
                String key = "race/" + round;
                assertOneWins(race(threads, calls(clients, (client, i) -> putIf(client, key, null, "*", bytes(i)))));
                String first = etag(key);
                assertOneWins(race(
                        threads, calls(clients, (client, i) -> putIf(client, key, first, null, bytes(100 + i)))));
                String next = etag(key);
                List<Integer> deletes = race(
                        threads,
                        calls(
                                clients,
                                (client, i) -> i % 2 == 0
                                        ? putIf(client, key, next, null, bytes(200 + i))
                                        : status(() -> client.deleteObject(request ->
                                                request.bucket(BUCKET).key(key).ifMatch(next)))));
                // Whoever deletes what is gone succeeds, as in S3: but of one ETag only one writer wins, and what it
                // wrote has another, so it stays.
                int[] winners = IntStream.range(0, WRITERS)
                        .filter(i -> i % 2 == 0 && deletes.get(i) == 200)
                        .toArray();
                assertThat(winners).hasSizeLessThanOrEqualTo(1);
                for (int winner : winners) {
                    assertThat(get(key)).isEqualTo(bytes(200 + winner));
                }
                assertThat(deletes).allMatch(each -> each == 200 || each == 412 || each == 404);
            }
        } finally {
            threads.shutdownNow();
            clients.forEach(S3Client::close);
        }
    }

    private interface Write {
        int answer(S3Client client, int number);
    }

    private static List<Callable<Integer>> calls(List<S3Client> clients, Write write) {
        List<Callable<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            int number = i;
            calls.add(() -> write.answer(clients.get(number), number));
        }
        return calls;
    }

    private static void assertOneWins(List<Integer> answers) {
        assertThat(answers).containsOnlyOnce(200).allMatch(each -> each == 200 || each == 412);
    }

    private String begin(String key) {
        return s3.createMultipartUpload(request ->
                        request.bucket(BUCKET).key(key).contentType("text/x").metadata(Map.of("m", "1")))
                .uploadId();
    }

    private CompletedPart part(String key, String upload, int number, byte[] content) {
        return CompletedPart.builder()
                .partNumber(number)
                .eTag(s3.uploadPart(
                                request -> request.bucket(BUCKET)
                                        .key(key)
                                        .uploadId(upload)
                                        .partNumber(number),
                                RequestBody.fromBytes(content))
                        .eTag())
                .build();
    }

    private int complete(String key, String upload, String noneMatch, List<CompletedPart> parts) {
        return status(() -> s3.completeMultipartUpload(request -> request.bucket(BUCKET)
                .key(key)
                .uploadId(upload)
                .ifNoneMatch(noneMatch)
                .multipartUpload(all -> all.parts(parts))));
    }

    @Test
    void shouldJoinPartsWithoutCopyingThem() throws Exception {
        String key = "big/file";
        String upload = begin(key);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        List<CompletedPart> parts = new ArrayList<>();
        for (int number : new int[] {1, 3, 7}) {
            byte[] content = bytes(number == 7 ? 3 : PART + number);
            whole.writeBytes(content);
            part(key, upload, number, bytes(9));
            parts.add(part(key, upload, number, content));
        }
        assertThat(status(() -> get(key))).isEqualTo(404);
        assertThat(s3.listParts(request -> request.bucket(BUCKET).key(key).uploadId(upload))
                        .parts())
                .hasSize(3);
        assertThat(s3.listMultipartUploads(request -> request.bucket(BUCKET)).uploads())
                .singleElement()
                .satisfies(each -> assertThat(each.key()).isEqualTo(key));

        List<CompletedPart> wrong = List.of(parts.get(1), parts.get(0));
        assertThat(complete(key, upload, null, wrong)).isEqualTo(400);
        assertThat(complete(key, upload, "*", parts)).isEqualTo(200);
        assertThat(complete(key, upload, "*", parts)).as("again").isEqualTo(200);

        assertThat(get(key)).isEqualTo(whole.toByteArray());
        HeadObjectResponse head =
                s3.headObject(request -> request.bucket(BUCKET).key(key));
        assertThat(head.eTag()).endsWith("-3\"");
        assertThat(head.contentType()).isEqualTo("text/x");
        assertThat(head.metadata()).containsEntry("m", "1");
        assertThat(s3.headObject(request -> request.bucket(BUCKET).key(key).partNumber(2))
                        .contentLength())
                .isEqualTo(PART + 3);
        assertThat(s3.getObjectAttributes(request -> request.bucket(BUCKET)
                                .key(key)
                                .objectAttributes(ObjectAttributes.OBJECT_PARTS, ObjectAttributes.OBJECT_SIZE)
                                .partNumberMarker(1))
                        .objectParts()
                        .parts())
                .extracting(ObjectPart::size)
                .containsExactly(PART + 3L, 3L);
        assertThat(s3.listMultipartUploads(request -> request.bucket(BUCKET)).uploads())
                .isEmpty();
        assertThat(fs.listStatus(path("/" + BUCKET + "/big")))
                .extracting(FileStatus::getLen)
                .containsExactly((long) whole.size());
    }

    @Test
    void shouldKeepAnUploadThatMayNotReplaceAndRemoveOneThatIsAborted() {
        put("there", bytes(1));
        String upload = begin("there");
        List<CompletedPart> parts = List.of(part("there", upload, 1, bytes(10)));
        assertThat(complete("there", upload, "*", parts)).isEqualTo(412);
        assertThat(get("there")).hasSize(1);
        s3.deleteObject(request -> request.bucket(BUCKET).key("there"));
        assertThat(complete("there", upload, "*", parts)).isEqualTo(200);
        assertThat(get("there")).hasSize(10);

        String aborted = begin("never");
        List<CompletedPart> lost = List.of(part("never", aborted, 1, bytes(10)));
        s3.abortMultipartUpload(request -> request.bucket(BUCKET).key("never").uploadId(aborted));
        assertThat(complete("never", aborted, null, lost)).isEqualTo(404);
        String small = begin("small");
        List<CompletedPart> both = List.of(part("small", small, 1, bytes(10)), part("small", small, 2, bytes(10)));
        assertThat(complete("small", small, null, both)).isEqualTo(400);
    }

    @Test
    void shouldCopyWithAndWithoutMetadata() {
        s3.putObject(
                request -> request.bucket(BUCKET)
                        .key("from")
                        .metadata(Map.of("a", "1"))
                        .tagging("t=1"),
                RequestBody.fromBytes(bytes(70_000)));
        s3.copyObject(request -> request.sourceBucket(BUCKET)
                .sourceKey("from")
                .destinationBucket(BUCKET)
                .destinationKey("to/same"));
        s3.copyObject(request -> request.sourceBucket(BUCKET)
                .sourceKey("from")
                .destinationBucket(BUCKET)
                .destinationKey("from")
                .metadataDirective(MetadataDirective.REPLACE)
                .metadata(Map.of("b", "2")));

        assertThat(get("to/same")).isEqualTo(bytes(70_000));
        assertThat(etag("to/same")).isEqualTo(etag("from"));
        assertThat(s3.headObject(request -> request.bucket(BUCKET).key("to/same"))
                        .metadata())
                .containsOnlyKeys("a");
        assertThat(s3.getObjectTagging(request -> request.bucket(BUCKET).key("to/same"))
                        .tagSet())
                .hasSize(1);
        assertThat(s3.headObject(request -> request.bucket(BUCKET).key("from")).metadata())
                .containsOnlyKeys("b");

        String upload = begin("parts");
        CompletedPart copied = CompletedPart.builder()
                .partNumber(1)
                .eTag(s3.uploadPartCopy(request -> request.sourceBucket(BUCKET)
                                .sourceKey("from")
                                .copySourceRange("bytes=10-19")
                                .destinationBucket(BUCKET)
                                .destinationKey("parts")
                                .uploadId(upload)
                                .partNumber(1))
                        .copyPartResult()
                        .eTag())
                .build();
        assertThat(complete("parts", upload, null, List.of(copied))).isEqualTo(200);
        assertThat(get("parts")).isEqualTo(Arrays.copyOfRange(bytes(70_000), 10, 20));
    }
}
