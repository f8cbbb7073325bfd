package io.lambdafs.cluster.blocks;

import io.lambdafs.cluster.settings.BlockAccess;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A cluster whose metadata and blocks a command works on, wherever it runs: on this machine, or on a platform. */
public interface OperatedCluster {
    /** Runs an idempotent action on the store, which must run; {@code what} describes it in a failure. */
    <T> T onStore(String what, Function<MetadataStore, CompletionStage<T>> step);

    /** Runs an action with the store, which must run. */
    <T> T withStore(Function<MetadataStore, T> step);

    /**
     * Passes all rows at one moment to a reader that may be called several times; only the last result counts.
     *
     * @throws io.lambdafs.model.FsException as the store does
     */
    <T> T rows(Function<Iterable<Row>, T> reader);

    /** Returns the names of its block stores in the metadata. */
    List<String> blockStores();

    /**
     * Returns its block stores' places, for a command that reads and changes objects itself.
     *
     * @throws io.lambdafs.model.FsException {@code INVALID_ARGUMENT} if they are not known here
     */
    BlockAccess blocks();
}
