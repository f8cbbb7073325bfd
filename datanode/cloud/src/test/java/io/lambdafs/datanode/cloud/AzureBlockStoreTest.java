package io.lambdafs.datanode.cloud;

import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.storage.blob.BlobServiceClientBuilder;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.datanode.block.BlockStoreContract;
import io.lambdafs.datanode.block.Emulator;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.objects.AzureSigner;
import io.lambdafs.rpc.objects.ObjectPlace;
import io.lambdafs.rpc.objects.ObjectSigner;
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

/** Skipped where there is no Azurite on the PATH, and {@code LAMBDAFS_AZURITE} names none ({@code blob/main.js}). */
class AzureBlockStoreTest extends BlockStoreContract {
    private static final AtomicInteger CONTAINERS = new AtomicInteger();
    /** Azurite's well-known account. */
    private static final String ACCOUNT = "devstoreaccount1";

    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static Emulator azurite;

    @TempDir
    Path spool;

    private ObjectPlace place;
    private AzureBlockStore store;

    @BeforeAll
    static void startAzurite() throws Exception {
        azurite = Emulator.start(
                "azurite-blob",
                "LAMBDAFS_AZURITE",
                Map.of(),
                port -> List.of(
                        "--inMemoryPersistence",
                        "--skipApiVersionCheck",
                        "--loose",
                        "--disableTelemetry",
                        "--silent",
                        "--blobHost",
                        "127.0.0.1",
                        "--blobPort",
                        Integer.toString(port)));
    }

    @AfterAll
    static void stopAzurite() {
        if (azurite != null) {
            azurite.close();
        }
    }

    private static String connection(String key, int port) {
        return "DefaultEndpointsProtocol=http;AccountName=" + ACCOUNT + ";AccountKey=" + key
                + ";BlobEndpoint=http://127.0.0.1:" + port + "/" + ACCOUNT + ";";
    }

    @BeforeEach
    void open() {
        place = ObjectPlace.of("az://container-" + CONTAINERS.incrementAndGet() + "/a/prefix");
        String connection = connection(KEY, azurite.port());
        new BlobServiceClientBuilder()
                .connectionString(connection)
                .httpClient(new JdkHttpClientBuilder().build())
                .buildClient()
                .createBlobContainer(place.bucket());
        store = AzureBlockStore.open(place, connection, Spool.open(spool));
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
        return Optional.of(AzureSigner.of(place, connection(KEY, azurite.port())));
    }

    /** Azurite, unlike Azure, does not say that it is the time. */
    @Override
    protected ErrorCode refusalOfLate() {
        return ErrorCode.PERMISSION_DENIED;
    }

    @Test
    void shouldSayWhatIsWrongWithContainerAndCredentials() {
        Spool folder = Spool.open(spool);
        String connection = connection(KEY, azurite.port());
        AzureBlockStore nowhere = AzureBlockStore.open(ObjectPlace.of("az://no-such-one"), connection, folder);
        AzureBlockStore stranger =
                AzureBlockStore.open(place, connection("AAAA" + KEY.substring(4), azurite.port()), folder);

        BlockStoreCheck.check(store, "a-cluster");
        assertFails(
                ErrorCode.INVALID_ARGUMENT,
                "belongs to the cluster a-cluster",
                () -> BlockStoreCheck.check(store, "another"));
        assertFails(ErrorCode.UNAVAILABLE, "no such bucket", () -> BlockStoreCheck.check(nowhere, "a-cluster"));
        assertFails(
                ErrorCode.PERMISSION_DENIED,
                "check the credentials",
                () -> BlockStoreCheck.check(stranger, "a-cluster"));
    }
}
