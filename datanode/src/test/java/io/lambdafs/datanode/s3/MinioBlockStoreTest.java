package io.lambdafs.datanode.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.datanode.block.BlockStoreContract;
import io.lambdafs.datanode.block.Emulator;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.objects.ObjectSigner;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Skipped where there is no MinIO on the PATH, and {@code LAMBDAFS_MINIO} names none. */
class MinioBlockStoreTest extends BlockStoreContract {
    private static final AtomicInteger BUCKETS = new AtomicInteger();

    @TempDir
    private static Path data;

    private static Emulator minio;

    @TempDir
    private Path spool;

    private String place;
    private S3BlockStore store;

    @BeforeAll
    static void startMinio() throws Exception {
        minio = Emulator.start(
                "minio",
                "LAMBDAFS_MINIO",
                Map.of(
                        "MINIO_ROOT_USER",
                        S3Endpoint.USER,
                        "MINIO_ROOT_PASSWORD",
                        S3Endpoint.password(),
                        "MINIO_UPDATE",
                        "off",
                        "MINIO_CALLHOME_ENABLE",
                        "off"),
                port -> List.of("server", data.toString(), "--address", "127.0.0.1:" + port));
    }

    @AfterAll
    static void stopMinio() {
        if (minio != null) {
            minio.close();
        }
    }

    private static URI endpoint() {
        return URI.create("http://127.0.0.1:" + minio.port());
    }

    @BeforeEach
    void open() {
        String bucket = "bucket-" + BUCKETS.incrementAndGet();
        S3Endpoint.makeBucket(endpoint(), bucket);
        place = "s3://" + bucket + "/a/prefix";
        store = S3BlockStore.open(S3Endpoint.settings(place, spool, endpoint(), S3Endpoint.password()));
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
        return Optional.of(S3Endpoint.signer(place, endpoint()));
    }

    /** By the whole name of an object alone; those that have not ended after a day MinIO drops itself. */
    @Override
    protected boolean listsUploads() {
        return false;
    }

    @Test
    void shouldListTheUploadOfAnObjectAndDropIt() {
        String key = ObjectKey.of(9, 1, 1);
        byte[] content = bytes(6 << 20, 9);
        try (BlockStore.Upload lost = store.upload(key)) {
            lost.write(content, 0, content.length);

            List<BlockStore.UnfinishedUpload> all = store.unfinished(key, "", 10);
            assertThat(all).extracting(BlockStore.UnfinishedUpload::key).containsExactly(key);
            store.drop(all.get(0));
            store.drop(all.get(0));

            assertThatThrownBy(lost::commit).isInstanceOf(FsException.class);
        }
        assertThat(store.unfinished(key, "", 10)).isEmpty();
        assertThat(store.length(key)).isEmpty();
    }

    @Test
    void shouldSayWhatIsWrongWithBucketAndCredentials() {
        S3BlockStore nowhere =
                S3BlockStore.open(S3Endpoint.settings("s3://no-such-bucket", spool, endpoint(), S3Endpoint.password()));
        S3BlockStore stranger = S3BlockStore.open(S3Endpoint.settings(place, spool, endpoint(), "wrong"));

        assertFails(ErrorCode.UNAVAILABLE, "no such bucket", () -> BlockStoreCheck.check(nowhere, "a-cluster"));
        assertFails(
                ErrorCode.PERMISSION_DENIED,
                "check the credentials",
                () -> BlockStoreCheck.check(stranger, "a-cluster"));
        nowhere.close();
        stranger.close();
    }
}
