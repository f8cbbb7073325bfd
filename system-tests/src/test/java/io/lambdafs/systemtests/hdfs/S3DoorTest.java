package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.door.s3.auth.AccessKey;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.Grant;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.Permission;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.Type;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** AWS's own client at an S3 door of this JVM. */
class S3DoorTest extends S3DoorCase {
    @Test
    void shouldKeepObjectsOfAnyLengthAsFiles() throws Exception {
        for (int size : new int[] {0, 1, 64 << 10, (64 << 10) + 1, LARGE}) {
            byte[] content = bytes(size);
            String key = "a/b/" + size;
            put(key, content);
            assertThat(Arrays.equals(get(key), content)).as(key).isTrue();
            HeadObjectResponse head =
                    s3.headObject(request -> request.bucket(BUCKET).key(key));
            assertThat(head.contentLength()).isEqualTo(size);
            try (FSDataInputStream in = fs.open(path("/" + BUCKET + "/" + key))) {
                assertThat(Arrays.equals(in.readAllBytes(), content)).isTrue();
            }
        }
        byte[] part;
        try (ResponseInputStream<GetObjectResponse> in = s3.getObject(
                request -> request.bucket(BUCKET).key("a/b/" + LARGE).range("bytes=9000000-9000999"))) {
            part = in.readAllBytes();
            assertThat(in.response().contentRange()).isEqualTo("bytes 9000000-9000999/" + LARGE);
        }
        assertThat(part).isEqualTo(Arrays.copyOfRange(bytes(LARGE), 9_000_000, 9_001_000));
        assertThat(status(() -> s3.getObjectAsBytes(
                        request -> request.bucket(BUCKET).key("a/b/1").range("bytes=1-"))))
                .isEqualTo(416);
    }

    @Test
    void shouldKeepWhatS3KnowsOfAnObjectUntilTheFileChanges() throws Exception {
        s3.putObject(
                request -> request.bucket(BUCKET)
                        .key("file")
                        .contentType("text/plain")
                        .cacheControl("max-age=7")
                        .metadata(Map.of("who", "me"))
                        .tagging("a=1&b=2")
                        .checksumAlgorithm(ChecksumAlgorithm.SHA256),
                RequestBody.fromString("content"));

        HeadObjectResponse head =
                s3.headObject(request -> request.bucket(BUCKET).key("file"));
        assertThat(head.eTag()).isEqualTo("\"9a0364b9e99bb480dd25e1f0284c8555\"");
        assertThat(head.contentType()).isEqualTo("text/plain");
        assertThat(head.cacheControl()).isEqualTo("max-age=7");
        assertThat(head.metadata()).containsEntry("who", "me");
        assertThat(s3.getObjectTagging(request -> request.bucket(BUCKET).key("file"))
                        .tagSet())
                .hasSize(2);
        assertThat(s3.listObjectsV2(request -> request.bucket(BUCKET))
                        .contents()
                        .get(0)
                        .eTag())
                .isEqualTo(head.eTag());

        // Another door goes on with it.
        try (FSDataOutputStream out = fs.append(path("/" + BUCKET + "/file"))) {
            out.write(new byte[] {'!'});
        }
        assertThat(get("file")).asString(StandardCharsets.UTF_8).isEqualTo("content!");
        HeadObjectResponse changed =
                s3.headObject(request -> request.bucket(BUCKET).key("file"));
        assertThat(changed.eTag()).isNotEqualTo(head.eTag()).contains("-");
        assertThat(changed.metadata()).isEmpty();
    }

    @Test
    void shouldShowFilesOfOtherDoorsAtOnce() throws Exception {
        fs.setPermission(path("/" + BUCKET), new FsPermission((short) 0777));
        try (FSDataOutputStream out = fs.create(path("/" + BUCKET + "/dir/file"))) {
            out.write(7);
        }

        assertThat(get("dir/file")).containsExactly(7);
        assertThat(keys("")).containsExactly("dir/file");
        fs.delete(path("/" + BUCKET + "/dir/file"), false);
        assertThatThrownBy(() -> get("dir/file")).isInstanceOf(NoSuchKeyException.class);
    }

    @Test
    void shouldRemoveObjectsAndTheDirectoriesThatTheyLeaveEmpty() throws Exception {
        put("a/b/c", bytes(1));
        put("a/d", bytes(1));
        put("dir/", bytes(0));
        assertThat(keys("")).containsExactly("a/b/c", "a/d", "dir/");
        assertThat(fs.getFileStatus(path("/" + BUCKET + "/dir")).isDirectory()).isTrue();

        s3.deleteObject(request -> request.bucket(BUCKET).key("a/b/c"));
        assertThat(fs.exists(path("/" + BUCKET + "/a/b"))).isFalse();
        assertThat(status(() -> s3.deleteBucket(request -> request.bucket(BUCKET))))
                .isEqualTo(409);
        // A directory is no object, and its name deletes nothing.
        s3.deleteObject(request -> request.bucket(BUCKET).key("a"));
        assertThat(keys("")).containsExactly("a/d", "dir/");

        List<ObjectIdentifier> all = new ArrayList<>();
        for (String key : List.of("a/d", "dir/", "none")) {
            all.add(ObjectIdentifier.builder().key(key).build());
        }
        Delete delete = Delete.builder().objects(all).build();
        assertThat(s3.deleteObjects(request -> request.bucket(BUCKET).delete(delete))
                        .deleted())
                .hasSize(3);
        assertThat(keys("")).isEmpty();
        s3.deleteBucket(request -> request.bucket(BUCKET));
        assertThat(status(() -> s3.headBucket(request -> request.bucket(BUCKET))))
                .isEqualTo(404);
    }

    @Test
    void shouldListKeysInTheOrderOfTheirBytes() {
        TreeSet<String> keys = new TreeSet<>();
        Random random = new Random(3);
        String[] names = {"a", "a-", "a!", "a.b", "a0", "b", "\u00e9", "\uff5e", "\ud83d\ude00", "c d", "e+f"};
        while (keys.size() < 40) {
            StringBuilder key = new StringBuilder();
            for (int depth = random.nextInt(3); depth >= 0; depth--) {
                key.append(names[random.nextInt(names.length)]).append(depth > 0 ? "/" : "");
            }
            boolean isBeginning = keys.stream().anyMatch(each -> each.startsWith(key + "/"));
            boolean isBelow = keys.stream().anyMatch(each -> key.toString().startsWith(each + "/"));
            if (!isBeginning && !isBelow) {
                keys.add(key.toString());
            } else if (random.nextInt(50) == 0) {
                break;
            }
        }
        keys.forEach(key -> put(key, bytes(1)));
        List<String> ordered = keys.stream()
                .sorted((one, other) -> Arrays.compareUnsigned(
                        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8)))
                .toList();

        for (String prefix : List.of("", "a", "a/", "a-", "a/a", "\u00e9", "none", "a//", "a/../")) {
            for (String delimiter : List.of("", "/", "-", "/a")) {
                List<String> expected = expected(ordered, prefix, delimiter);
                for (int most : new int[] {3, 1_000}) {
                    assertThat(listed(prefix, delimiter, most))
                            .as(prefix + " by " + delimiter + ", " + most + " at once")
                            .isEqualTo(expected);
                }
            }
        }
        for (String after : ordered) {
            assertThat(s3.listObjectsV2(request -> request.bucket(BUCKET).startAfter(after)).contents().stream()
                            .map(S3Object::key)
                            .toList())
                    .as("after " + after)
                    .isEqualTo(ordered.subList(ordered.indexOf(after) + 1, ordered.size()));
        }
    }

    private static List<String> expected(List<String> keys, String prefix, String delimiter) {
        return keys.stream()
                .filter(key -> key.startsWith(prefix))
                .map(key -> {
                    int at = delimiter.isEmpty() ? -1 : key.indexOf(delimiter, prefix.length());
                    return at < 0 ? key : key.substring(0, at + delimiter.length()) + "…";
                })
                .distinct()
                .toList();
    }

    /** Returns keys and common prefixes, page by page. */
    private List<String> listed(String prefix, String delimiter, int most) {
        List<String> all = new ArrayList<>();
        String token = null;
        do {
            String from = token;
            ListObjectsV2Response page = s3.listObjectsV2(request -> request.bucket(BUCKET)
                    .prefix(prefix)
                    .delimiter(delimiter)
                    .maxKeys(most)
                    .continuationToken(from));
            List<String> here = new ArrayList<>();
            page.contents().forEach(each -> here.add(each.key()));
            page.commonPrefixes().stream().map(CommonPrefix::prefix).forEach(each -> here.add(each + "…"));
            here.sort((one, other) -> Arrays.compareUnsigned(
                    one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8)));
            assertThat(here.size()).isEqualTo(page.keyCount()).isLessThanOrEqualTo(most);
            all.addAll(here);
            token = page.nextContinuationToken();
        } while (token != null);
        return all;
    }

    @Test
    void shouldListMoreThanAPage() {
        IntStream.range(0, 1_203).forEach(each -> put("many/" + each, bytes(0)));

        assertThat(s3.listObjectsV2Paginator(request -> request.bucket(BUCKET)).contents().stream()
                        .map(S3Object::key)
                        .distinct()
                        .count())
                .isEqualTo(1_203);
        assertThat(s3.listObjects(request -> request.bucket(BUCKET).delimiter("/"))
                        .commonPrefixes())
                .hasSize(1);
    }

    @Test
    void shouldKeepUsersApartByTheirRights() {
        put("secret", bytes(1));
        try (S3Client other = client(others)) {
            assertThat(status(() -> other.getObjectAsBytes(
                            request -> request.bucket(BUCKET).key("secret"))))
                    .isEqualTo(403);
            assertThat(status(() -> other.listObjectsV2(request -> request.bucket(BUCKET))))
                    .isEqualTo(403);
            assertThat(status(() -> other.putObject(
                            request -> request.bucket(BUCKET).key("mine"), RequestBody.fromBytes(bytes(1)))))
                    .isEqualTo(403);
            assertThat(status(() ->
                            other.deleteObject(request -> request.bucket(BUCKET).key("secret"))))
                    .isEqualTo(403);
            assertThat(status(() -> other.createBucket(request -> request.bucket(BUCKET))))
                    .isEqualTo(409);
            assertThat(other.listBuckets().buckets()).isEmpty();
        }
        assertThat(s3.listBuckets().buckets()).extracting(Bucket::name).containsExactly(BUCKET);
        assertThat(get("secret")).hasSize(1);
    }

    @Test
    void shouldServeNobodyWithoutTheKey() throws Exception {
        put("file", bytes(1));
        for (AccessKey wrong : List.of(
                new AccessKey(mine.id(), mine.secret() + "x", "alice", List.of()),
                new AccessKey("UNKNOWNKEY", mine.secret(), "alice", List.of()))) {
            try (S3Client stranger = client(wrong)) {
                assertThat(status(() -> stranger.getObjectAsBytes(
                                request -> request.bucket(BUCKET).key("file"))))
                        .isEqualTo(403);
                assertThat(status(() -> stranger.putObject(
                                request -> request.bucket(BUCKET).key("file"), RequestBody.fromBytes(bytes(LARGE)))))
                        .isEqualTo(403);
            }
        }
        HttpResponse<String> anonymous = send("GET", address().resolve("/" + BUCKET + "/file"), "");
        assertThat(anonymous.statusCode()).isEqualTo(403);
        assertThat(anonymous.body())
                .contains("<Code>AccessDenied</Code>")
                .contains("<RequestId>"
                        + anonymous.headers().firstValue("x-amz-request-id").orElseThrow());
        assertThat(get("file")).hasSize(1);
    }

    @Test
    void shouldTellThePrivateAclAndTakeNoOther() {
        put("key", bytes(1));
        for (List<Grant> grants : List.of(
                s3.getBucketAcl(request -> request.bucket(BUCKET)).grants(),
                s3.getObjectAcl(request -> request.bucket(BUCKET).key("key")).grants())) {
            assertThat(grants).singleElement().satisfies(grant -> {
                assertThat(grant.permission()).isEqualTo(Permission.FULL_CONTROL);
                assertThat(grant.grantee().id()).isEqualTo("alice");
                assertThat(grant.grantee().type()).isEqualTo(Type.CANONICAL_USER);
            });
        }
        assertThat(status(
                        () -> s3.getObjectAcl(request -> request.bucket(BUCKET).key("none"))))
                .isEqualTo(404);
        assertThat(status(() -> s3.putObjectAcl(
                        request -> request.bucket(BUCKET).key("key").acl(ObjectCannedACL.PRIVATE))))
                .isEqualTo(200);
        assertThat(status(() -> s3.putObjectAcl(
                        request -> request.bucket(BUCKET).key("key").acl(ObjectCannedACL.PUBLIC_READ))))
                .isEqualTo(501);
        assertThat(status(
                        () -> s3.putBucketAcl(request -> request.bucket(BUCKET).acl("public-ready"))))
                .isEqualTo(400);
    }

    @Test
    void shouldTellWhatXmlCannotHold() {
        String odd = "odd/\u0001 +\r\n\u00e9\ufffe";
        String upload = s3.createMultipartUpload(
                        request -> request.bucket(BUCKET).key(odd))
                .uploadId();
        put(odd, bytes(1));

        assertThat(s3.listObjectsV2(request -> request.bucket(BUCKET)
                                .prefix(odd)
                                .continuationToken("")
                                .encodingType(EncodingType.URL))
                        .contents())
                .extracting(S3Object::key)
                .containsExactly(odd);
        assertThat(s3.listMultipartUploads(
                                request -> request.bucket(BUCKET).prefix(odd).encodingType(EncodingType.URL))
                        .uploads())
                .singleElement()
                .satisfies(each -> assertThat(each.key()).isEqualTo(odd));
        s3.abortMultipartUpload(request -> request.bucket(BUCKET).key(odd).uploadId(upload));
        assertThatThrownBy(() -> get(odd + "\u0002")).isInstanceOf(NoSuchKeyException.class);
    }

    @Test
    void shouldServePresignedUrls() throws Exception {
        try (S3Presigner presigner = S3Presigner.builder()
                .endpointOverride(address())
                .region(Region.EU_NORTH_1)
                .credentialsProvider(credentials(mine))
                .serviceConfiguration(
                        S3Configuration.builder().pathStyleAccessEnabled(true).build())
                .build()) {
            URI put = presigner
                    .presignPutObject(each -> each.signatureDuration(Duration.ofMinutes(5))
                            .putObjectRequest(request -> request.bucket(BUCKET).key("pre signed/\u00e9")))
                    .url()
                    .toURI();
            URI get = presigner
                    .presignGetObject(each -> each.signatureDuration(Duration.ofMinutes(5))
                            .getObjectRequest(request -> request.bucket(BUCKET).key("pre signed/\u00e9")))
                    .url()
                    .toURI();

            assertThat(send("PUT", put, "content").statusCode()).isEqualTo(200);
            assertThat(send("GET", get, "").body()).isEqualTo("content");
            assertThat(send("PUT", get, "other").statusCode()).isEqualTo(403);
            URI another = URI.create(get.toString().replace("pre%20signed", "pre%20signet"));
            assertThat(send("GET", another, "").statusCode()).isEqualTo(403);
        }
    }

    @Test
    void shouldRefuseKeysThatAFileSystemCannotHold() {
        put("a/file", bytes(1));
        for (String key :
                List.of("a//b", "/a", "a/./b", "a/../b", "a:b", "x".repeat(256), ".s3-x", "a", "a/file/below")) {
            assertThat(status(() -> put(key, bytes(1)))).as(key).isEqualTo(400);
            assertThatThrownBy(() -> get(key)).as(key).isInstanceOf(NoSuchKeyException.class);
        }
        assertThat(keys("")).containsExactly("a/file");
    }
}
