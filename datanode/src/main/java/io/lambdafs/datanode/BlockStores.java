package io.lambdafs.datanode;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.local.LocalBlockStore;
import io.lambdafs.datanode.s3.S3BlockStore;
import io.lambdafs.datanode.s3.S3Place;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** Opens block stores of any kind by where they are. Stateless. */
public final class BlockStores {
    private BlockStores() {}

    /**
     * Opens a store.
     *
     * @param place a directory, or {@code s3://BUCKET/PREFIX}
     * @param endpoint of an object store other than Amazon's
     * @param encryption what the object store encrypts with
     * @param owner a name that no other process which uses the store has
     * @param spool a folder of this process alone, for parts that are uploaded to an object store
     */
    public static BlockStore open(
            String place, Optional<String> endpoint, Optional<String> encryption, String owner, Path spool) {
        return S3Place.isOne(place)
                ? S3BlockStore.open(S3Place.of(place), endpoint.map(URI::create), encryption, spool)
                : LocalBlockStore.open(Path.of(place), owner);
    }
}
