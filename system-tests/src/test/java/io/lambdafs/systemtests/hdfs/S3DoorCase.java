package io.lambdafs.systemtests.hdfs;

import io.lambdafs.door.s3.S3Door;
import io.lambdafs.door.s3.S3DoorConfig;
import io.lambdafs.door.s3.auth.AccessKey;
import io.lambdafs.door.s3.auth.AccessKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** An S3 door of this JVM with a bucket of a user, and AWS's own client. */
abstract class S3DoorCase {
    static final String ROOT = "/s3";
    static final String BUCKET = "bucket";
    static final int LARGE = (17 << 20) + 5;

    @TempDir
    Path folder;

    DoorCluster cluster;
    S3Door door;
    AccessKey mine;
    AccessKey others;
    S3Client s3;
    FileSystem fs;

    @BeforeEach
    void start() throws IOException {
        cluster = DoorCluster.start(folder);
        mine = AccessKey.make("alice", List.of("users"));
        others = AccessKey.make("bob", List.of("users"));
        for (AccessKey each : List.of(mine, others)) {
            AccessKeys.add(cluster.directory().resolve(AccessKeys.NAME), each);
        }
        Configuration own = new Configuration();
        own.set("lambdafs.dir", cluster.directory().toString());
        fs = FileSystem.newInstance(URI.create("lambdafs:///"), own);
        fs.mkdirs(path(""));
        fs.setPermission(path(""), new FsPermission((short) 01777));
        door = S3Door.start(S3DoorConfig.of(cluster.directory(), ROOT, "", 0));
        s3 = client(mine);
        s3.createBucket(request -> request.bucket(BUCKET));
    }

    @AfterEach
    void stop() throws IOException {
        s3.close();
        door.close();
        fs.close();
        cluster.close();
    }

    static org.apache.hadoop.fs.Path path(String below) {
        return new org.apache.hadoop.fs.Path(ROOT + below);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + door.address().getPort());
    }

    static StaticCredentialsProvider credentials(AccessKey key) {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(key.id(), key.secret()));
    }

    S3Client client(AccessKey key) {
        return client(key, address());
    }

    static S3Client client(AccessKey key, URI address) {
        return S3Client.builder()
                .endpointOverride(address)
                .region(Region.EU_NORTH_1)
                .httpClient(UrlConnectionHttpClient.create())
                .credentialsProvider(credentials(key))
                .overrideConfiguration(each -> each.retryStrategy(retry -> retry.maxAttempts(1)))
                .build();
    }

    static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    void put(String key, byte[] content) {
        s3.putObject(request -> request.bucket(BUCKET).key(key), RequestBody.fromBytes(content));
    }

    byte[] get(String key) {
        return s3.getObjectAsBytes(request -> request.bucket(BUCKET).key(key)).asByteArray();
    }

    List<String> keys(String prefix) {
        return s3.listObjectsV2(request -> request.bucket(BUCKET).prefix(prefix)).contents().stream()
                .map(S3Object::key)
                .toList();
    }

    static int status(Runnable call) {
        try {
            call.run();
            return 200;
        } catch (S3Exception e) {
            return e.statusCode();
        }
    }

    static HttpResponse<String> send(String method, URI uri, String body) throws Exception {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(
                        HttpRequest.newBuilder(uri)
                                .method(
                                        method,
                                        body.isEmpty()
                                                ? HttpRequest.BodyPublishers.noBody()
                                                : HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
