package io.lambdafs.cluster;

import io.lambdafs.datanode.BlockStores;
import io.lambdafs.datanode.ClusterId;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The block stores of a cluster, for an operator's command. Not thread-safe. */
final class OpenBlockStores implements AutoCloseable {
    private final Map<String, BlockStore> stores = new LinkedHashMap<>();

    private OpenBlockStores() {}

    /**
     * Opens them.
     *
     * @param cluster whose they must be
     * @param command that wants them, in the name of what it keeps besides
     * @throws io.lambdafs.model.FsException {@code INVALID_ARGUMENT}: one is another cluster's, or two are the same; else as the stores say
     */
    static OpenBlockStores of(ClusterDirectory directory, BlockSettings settings, String cluster, String command) {
        OpenBlockStores opened = open(directory, settings, command);
        try {
            opened.stores.forEach((name, store) -> BlockStoreCheck.demandOwner(store, ClusterId.owner(cluster, name)));
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** Opens them, whosever they are. */
    static OpenBlockStores open(ClusterDirectory directory, BlockSettings settings, String command) {
        settings.checkApart(directory);
        OpenBlockStores opened = new OpenBlockStores();
        // The same command may run twice at once.
        String own = command + "-" + ProcessHandle.current().pid();
        try {
            for (BlockPlace at : settings.places()) {
                BlockStore store = BlockStores.open(
                        at.in(directory),
                        Optional.of(settings.endpoint()).filter(each -> at.isRemote() && !each.isEmpty()),
                        Optional.of(settings.encryption()).filter(each -> at.isRemote() && !each.isEmpty()),
                        own,
                        directory.run().resolve(own).resolve(Integer.toString(opened.stores.size())));
                opened.stores.put(at.store(), store);
            }
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** By what the metadata call them. */
    Map<String, BlockStore> byName() {
        return stores;
    }

    @Override
    public void close() {
        stores.values().forEach(BlockStore::close);
    }
}
