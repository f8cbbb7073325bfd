package io.lambdafs.cluster.blocks;

import io.lambdafs.cluster.settings.BlockAccess;
import io.lambdafs.cluster.settings.BlockPlace;
import io.lambdafs.datanode.BlockStores;
import io.lambdafs.datanode.ClusterId;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The opened block stores of a cluster, for an operator's command. Not thread-safe. */
final class OpenBlockStores implements AutoCloseable {
    private final Map<String, BlockStore> stores = new LinkedHashMap<>();

    private OpenBlockStores() {}

    /**
     * Opens a cluster's block stores.
     *
     * @param cluster that they must belong to
     * @param command that uses them, part of the names of its other data
     * @throws io.lambdafs.model.FsException {@code INVALID_ARGUMENT} if one is another cluster's, or two are the same;
     *     otherwise as the stores do
     */
    static OpenBlockStores of(BlockAccess access, String cluster, String command) {
        OpenBlockStores opened = open(access, command);
        try {
            opened.stores.forEach((name, store) -> BlockStoreCheck.demandOwner(store, ClusterId.owner(cluster, name)));
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** Opens block stores of any cluster. */
    static OpenBlockStores open(BlockAccess access, String command) {
        OpenBlockStores opened = new OpenBlockStores();
        // The same command may run twice concurrently.
        String own = command + "-" + ProcessHandle.current().pid();
        try {
            for (BlockPlace at : access.places()) {
                BlockStore store = BlockStores.open(
                        at.place(),
                        Optional.of(access.endpoint()).filter(each -> at.isRemote() && !each.isEmpty()),
                        Optional.of(access.encryption()).filter(each -> at.isRemote() && !each.isEmpty()),
                        own,
                        access.scratch().resolve(own).resolve(Integer.toString(opened.stores.size())));
                opened.stores.put(at.store(), store);
            }
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** Returns the stores by their names in the metadata. */
    Map<String, BlockStore> byName() {
        return stores;
    }

    @Override
    public void close() {
        stores.values().forEach(BlockStore::close);
    }
}
