package io.lambdafs.datanode;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreProvider;
import io.lambdafs.datanode.local.LocalBlockStore;
import io.lambdafs.datanode.s3.S3BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;

/** Opens block stores of any kind by their place. Stateless. */
public final class BlockStores {
    private BlockStores() {}

    /**
     * Opens a store.
     *
     * @param place a directory, {@code s3://BUCKET/PREFIX}, or a place of a {@link BlockStoreProvider} on the class
     *     path
     * @param endpoint of an S3-compatible store other than Amazon's
     * @param encryption the server-side encryption of an S3-compatible store
     * @param owner a name that no other process of the store uses
     * @param spool a folder of this process alone, for uploads to an object store
     * @throws FsException {@code UNSUPPORTED}: no provider takes the place; else as the store specifies
     */
    public static BlockStore open(
            String place, Optional<String> endpoint, Optional<String> encryption, String owner, Path spool) {
        if (!ObjectPlace.isOne(place)) {
            return LocalBlockStore.open(Path.of(place), owner);
        }
        ObjectPlace remote = ObjectPlace.of(place);
        if (remote.isS3()) {
            return S3BlockStore.open(remote, endpoint.map(ObjectPlace::endpoint), encryption, spool);
        }
        for (BlockStoreProvider each : ServiceLoader.load(BlockStoreProvider.class)) {
            if (each.takes(remote)) {
                return each.open(remote, spool);
            }
        }
        throw new FsException(
                ErrorCode.UNSUPPORTED,
                "nothing here opens " + place
                        + ": put the module lambdafs-datanode-cloud on the class path (LAMBDAFS_CLOUD=1)");
    }
}
