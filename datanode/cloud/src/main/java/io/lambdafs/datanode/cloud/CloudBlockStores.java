package io.lambdafs.datanode.cloud;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreProvider;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.objects.AzureSigner;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.nio.file.Path;

/**
 * Opens {@code az://CONTAINER/PREFIX}, with the connection string of {@code AZURE_STORAGE_CONNECTION_STRING}, and
 * {@code gs://BUCKET/PREFIX}, with the application default credentials of Google's library. Thread-safe.
 */
public final class CloudBlockStores implements BlockStoreProvider {
    @Override
    public boolean takes(ObjectPlace place) {
        return !place.isS3();
    }

    @Override
    public BlockStore open(ObjectPlace place, Path spool) {
        Spool folder = Spool.open(spool);
        if (!place.isAzure()) {
            return GcsBlockStore.open(place, System.getenv(), folder);
        }
        String connection = System.getenv(AzureSigner.CONNECTION);
        if (connection == null || connection.isEmpty()) {
            throw new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "cannot use " + place + ": there are no credentials; set " + AzureSigner.CONNECTION
                            + " in the environment");
        }
        return AzureBlockStore.open(place, connection, folder);
    }
}
