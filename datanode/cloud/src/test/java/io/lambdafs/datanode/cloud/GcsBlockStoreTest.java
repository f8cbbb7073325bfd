package io.lambdafs.datanode.cloud;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.datanode.block.BlockStoreContract;
import io.lambdafs.datanode.block.FakeGcs;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.objects.ObjectPlace;
import io.lambdafs.rpc.objects.ObjectSigner;
import io.lambdafs.rpc.objects.ObjectSigners;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Skipped where there is no fake-gcs-server on the PATH, and {@code LAMBDAFS_FAKE_GCS} names none. */
class GcsBlockStoreTest extends BlockStoreContract {
    private static final AtomicInteger BUCKETS = new AtomicInteger();

    @TempDir
    private static Path directory;

    private static FakeGcs gcs;

    @TempDir
    Path spool;

    private ObjectPlace place;
    private GcsBlockStore store;

    @BeforeAll
    static void startFake() throws Exception {
        gcs = FakeGcs.start(directory);
    }

    @AfterAll
    static void stopFake() {
        if (gcs != null) {
            gcs.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        place = ObjectPlace.of("gs://bucket-" + BUCKETS.incrementAndGet() + "/a/prefix");
        gcs.makeBucket(place.bucket());
        Map<String, String> environment =
                Map.of("STORAGE_EMULATOR_HOST", gcs.address().toString());
        store = GcsBlockStore.open(place, environment, Spool.open(spool));
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
    protected boolean listsUploads() {
        return false;
    }

    @Override
    protected Optional<ObjectSigner> signer() {
        return Optional.ofNullable(ObjectSigners.of(Map.of("n", place.toString()), "", "", gcs.environment())
                .get("n"));
    }

    @Test
    void shouldBeTakenForOneClusterOnly() {
        BlockStoreCheck.check(store, "a-cluster");

        assertFails(
                ErrorCode.INVALID_ARGUMENT,
                "belongs to the cluster a-cluster",
                () -> BlockStoreCheck.check(store, "another"));
    }
}
