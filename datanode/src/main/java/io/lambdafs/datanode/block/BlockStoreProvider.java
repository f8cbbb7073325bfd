package io.lambdafs.datanode.block;

import io.lambdafs.rpc.objects.ObjectPlace;
import java.nio.file.Path;

/**
 * Opens block stores of a kind whose library is large and so in its own module; found by
 * {@link java.util.ServiceLoader}. Thread-safe.
 */
public interface BlockStoreProvider {
    /** Returns whether a place is of its kind. */
    boolean takes(ObjectPlace place);

    /**
     * Opens a store, with the environment's credentials for it.
     *
     * @param spool a folder of this process alone
     * @throws io.lambdafs.model.FsException {@code PERMISSION_DENIED}: there are no credentials; {@code UNAVAILABLE}:
     *     the folder cannot be used
     */
    BlockStore open(ObjectPlace place, Path spool);
}
