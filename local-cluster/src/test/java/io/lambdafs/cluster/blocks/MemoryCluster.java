package io.lambdafs.cluster.blocks;

import io.lambdafs.cluster.dump.Snapshot;
import io.lambdafs.cluster.settings.BlockAccess;
import io.lambdafs.cluster.settings.BlockPlace;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.inode.INode;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.memory.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A cluster in this process: its metadata in memory, and a folder for each block store. */
public final class MemoryCluster implements OperatedCluster, AutoCloseable {
    private final SystemScheduler scheduler = new SystemScheduler("memory-cluster", 1, 100);
    private final MemoryStore store = new MemoryStore(scheduler);
    private final Map<String, Path> places;
    private final Path scratch;

    /** @param places folders of block stores by their names in the metadata */
    public MemoryCluster(Map<String, Path> places, Path scratch) {
        this.places = new TreeMap<>(places);
        this.scratch = scratch;
        Formatter.format(store, 1, "root", 1).toCompletableFuture().join();
    }

    public void put(Row... rows) {
        List<Mutation> changes =
                List.of(rows).stream().<Mutation>map(Mutation.Put::new).toList();
        store.begin(0).commit(changes, Long.MAX_VALUE).toCompletableFuture().join();
    }

    /** Adds a file whose contents are in blocks. */
    public void file(long parent, String name, long id) {
        INode.Traits traits =
                new INode.Traits(INode.Kind.FILE, "ada", "users", 0644, 1, 1L << 20, INode.Content.BLOCKS);
        put(Rows.of(new INode(parent, name, id, traits, 10, 7, 7, 1)));
    }

    public void directory(long parent, String name, long id) {
        put(Rows.of(INode.directory(parent, name, id, "ada", "users", 0755, 7)));
    }

    @Override
    public <T> T onStore(String what, Function<MetadataStore, CompletionStage<T>> step) {
        return step.apply(store).toCompletableFuture().join();
    }

    @Override
    public <T> T withStore(Function<MetadataStore, T> step) {
        return step.apply(store);
    }

    @Override
    public <T> T rows(Function<Iterable<Row>, T> reader) {
        return Snapshot.read(store, reader);
    }

    @Override
    public List<String> blockStores() {
        return List.copyOf(places.keySet());
    }

    @Override
    public BlockAccess blocks() {
        List<BlockPlace> all = places.entrySet().stream()
                .map(each -> new BlockPlace(each.getKey(), each.getValue().toString()))
                .toList();
        return new BlockAccess(all, "", "", scratch);
    }

    @Override
    public void close() {
        store.close();
        scheduler.close();
    }

    @Override
    public String toString() {
        return "a cluster in memory";
    }
}
