package io.lambdafs.datanode.cloud;

import com.google.cloud.NoCredentials;
import com.google.cloud.storage.BucketInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.StorageOptions;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.datanode.block.BlockStoreContract;
import io.lambdafs.datanode.block.Emulator;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    private static Emulator gcs;

    @TempDir
    Path spool;

    private GcsBlockStore store;

    @BeforeAll
    static void startFake() throws Exception {
        gcs = Emulator.start("fake-gcs-server", "LAMBDAFS_FAKE_GCS", Map.of(), port -> {
            String address = "127.0.0.1:" + port;
            return List.of(
                    "-scheme",
                    "http",
                    "-host",
                    "127.0.0.1",
                    "-port",
                    Integer.toString(port),
                    "-backend",
                    "memory",
                    "-public-host",
                    address,
                    "-external-url",
                    "http://" + address);
        });
    }

    @AfterAll
    static void stopFake() {
        if (gcs != null) {
            gcs.close();
        }
    }

    private static Storage storage() {
        return StorageOptions.newBuilder()
                .setHost("http://127.0.0.1:" + gcs.port())
                .setProjectId("a-project")
                .setCredentials(NoCredentials.getInstance())
                .build()
                .getService();
    }

    @BeforeEach
    void open() {
        ObjectPlace place = ObjectPlace.of("gs://bucket-" + BUCKETS.incrementAndGet() + "/a/prefix");
        Storage storage = storage();
        storage.create(BucketInfo.of(place.bucket()));
        store = new GcsBlockStore(place, storage, Spool.open(spool));
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

    @Test
    void shouldBeTakenForOneClusterOnly() {
        BlockStoreCheck.check(store, "a-cluster");

        assertFails(
                ErrorCode.INVALID_ARGUMENT,
                "belongs to the cluster a-cluster",
                () -> BlockStoreCheck.check(store, "another"));
    }
}
