package io.lambdafs.datanode.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.datanode.block.BlockStoreContract;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.objects.ObjectClient;
import io.lambdafs.rpc.objects.ObjectPlace;
import io.lambdafs.rpc.objects.ObjectSigner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class S3BlockStoreTest extends BlockStoreContract {
    private static final AtomicInteger BUCKETS = new AtomicInteger();

    private static S3Endpoint endpoint;

    @TempDir
    Path spool;

    private String bucket;
    private S3BlockStore store;

    @BeforeAll
    static void startEndpoint() throws Exception {
        endpoint = S3Endpoint.start();
    }

    @AfterAll
    static void stopEndpoint() {
        endpoint.close();
    }

    @BeforeEach
    void open() {
        bucket = "bucket-" + BUCKETS.incrementAndGet();
        endpoint.makeBucket(bucket);
        store = S3BlockStore.open(endpoint.settings("s3://" + bucket + "/a/prefix", spool));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected BlockStore store() {
        return store;
    }

    @Override
    protected Optional<ObjectSigner> signer() {
        return Optional.of(endpoint.signer("s3://" + bucket + "/a/prefix"));
    }

    private long spooled() throws IOException {
        try (Stream<Path> files = Files.list(spool)) {
            return files.count();
        }
    }

    private int uploads() {
        return store.client()
                .listMultipartUploads(list -> list.bucket(bucket))
                .uploads()
                .size();
    }

    @Test
    void shouldWriteALargeObjectInPartsAndLeaveNothingBehind() throws IOException {
        String key = ObjectKey.of(1, 1, 1);
        byte[] content = bytes((11 << 20) + 17, 1);

        put(key, content);

        assertThat(store.length(key)).hasValue(content.length);
        assertThat(get(key, (5 << 20) - 10, 20)).isEqualTo(Arrays.copyOfRange(content, (5 << 20) - 10, (5 << 20) + 10));
        assertThat(get(key, 0, content.length)).isEqualTo(content);
        assertThat(spooled()).isZero();
        assertThat(uploads()).isZero();
        assertFails(ErrorCode.ALREADY_EXISTS, key, () -> put(key, content));
        assertThat(uploads()).isZero();
    }

    @Test
    void shouldDropThePartsOfAnUploadThatIsNotCommitted() throws IOException {
        byte[] content = bytes(6 << 20, 1);
        try (BlockStore.Upload upload = store.upload(ObjectKey.of(1, 1, 1))) {
            upload.write(content, 0, content.length);
            assertThat(uploads()).isEqualTo(1);
        }

        assertThat(uploads()).isZero();
        assertThat(spooled()).isZero();
    }

    @Test
    void shouldKnowItsOwnObjectAgainWhereARequestIsRepeated() {
        try (BlockStore.Upload upload = store.upload(ObjectKey.of(1, 1, 1))) {
            upload.write(bytes(10, 1), 0, 10);
            upload.commit();
            upload.commit();
        }

        assertThat(get(ObjectKey.of(1, 1, 1), 0, 10)).isEqualTo(bytes(10, 1));
        assertFails(ErrorCode.ALREADY_EXISTS, "", () -> put(ObjectKey.of(1, 1, 1), bytes(10, 1)));
    }

    @Test
    void shouldTakePrefixesAndEndpointsAsOthersWriteThem() {
        String place = "s3://" + bucket + "/day=1/a+b! c";
        S3BlockStore other = S3BlockStore.open(endpoint.settings(place, spool));
        BlockStoreCheck.check(other, "a-cluster");
        SystemScheduler scheduler = new SystemScheduler("client", 1, 100);
        BlockStoreCheck.checkDirect(
                place,
                endpoint.signer(place),
                new ObjectClient(scheduler, ObjectClient.SILENCE),
                System.currentTimeMillis());

        assertThat(other.list("", "", 10))
                .extracting(BlockStore.StoredObject::key)
                .containsExactly(BlockStoreCheck.MARKER);
        scheduler.close();
        other.close();
    }

    @Test
    void shouldKeepToItsPrefix() {
        S3BlockStore other = S3BlockStore.open(endpoint.settings("s3://" + bucket + "/another", spool));
        put(ObjectKey.of(1, 1, 1), bytes(10, 1));

        assertThat(other.list("", "", 10)).isEmpty();
        assertThat(other.length(ObjectKey.of(1, 1, 1))).isEmpty();
        other.close();
    }

    @Test
    void shouldBeTakenForOneClusterOnly() {
        BlockStoreCheck.check(store, "a-cluster");
        BlockStoreCheck.check(store, "a-cluster");

        assertFails(
                ErrorCode.INVALID_ARGUMENT,
                "belongs to the cluster a-cluster",
                () -> BlockStoreCheck.check(store, "another"));
    }

    @Test
    void shouldSayWhatIsWrongWithBucketAndCredentials() {
        S3BlockStore nowhere = S3BlockStore.open(endpoint.settings("s3://no-such-bucket", spool));
        S3BlockStore stranger =
                S3BlockStore.open(S3Endpoint.settings("s3://" + bucket, spool, endpoint.address(), "wrong"));
        S3BlockStore unreached = S3BlockStore.open(
                S3Endpoint.settings("s3://" + bucket, spool, URI.create("http://127.0.0.1:1"), S3Endpoint.password()));

        assertFails(ErrorCode.UNAVAILABLE, "no such bucket", () -> BlockStoreCheck.check(nowhere, "a-cluster"));
        assertFails(
                ErrorCode.PERMISSION_DENIED,
                "check the credentials",
                () -> BlockStoreCheck.check(stranger, "a-cluster"));
        assertFails(ErrorCode.UNAVAILABLE, "127.0.0.1:1", () -> BlockStoreCheck.check(unreached, "a-cluster"));
        nowhere.close();
        stranger.close();
        unreached.close();
    }

    @Test
    void shouldReadPlaces() {
        assertThat(ObjectPlace.of("s3://bucket")).isEqualTo(new ObjectPlace("s3", "bucket", ""));
        assertThat(ObjectPlace.of("s3://a.bucket/x/y/")).isEqualTo(new ObjectPlace("s3", "a.bucket", "x/y/"));
        assertThatThrownBy(() -> ObjectPlace.of("s3:///x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ObjectPlace.of("s3://b/x//y")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ObjectPlace.of("ftp://host/x")).isInstanceOf(IllegalArgumentException.class);
        assertThat(ObjectPlace.of("gs://a_bucket/x").name("k")).isEqualTo("x/k");
        assertThat(ObjectPlace.of("az://container/x").key("x/k")).isEqualTo("k");
    }
}
