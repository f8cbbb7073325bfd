package io.lambdafs.systemtests.hdfs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.FsException;
import io.lambdafs.store.MetadataStore;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;

/** A store of an engine, served by a process as in a cluster, until it is closed. Confined to one thread. */
final class EngineStore implements Closeable {
    private final CompletableFuture<MetadataStore> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final CountDownLatch over = new CountDownLatch(1);

    private EngineStore() {}

    /** Starts it, and the database that it is in, in a directory. */
    static EngineStore start(String engine, Path directory) {
        EngineStore started = new EngineStore();
        Thread thread = new Thread(() -> started.serve(engine, directory), "store-" + engine);
        thread.setDaemon(true);
        thread.start();
        started.store();
        return started;
    }

    private void serve(String engine, Path directory) {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        keys.putObject("store").put("engine", engine);
        LocalCluster cluster = new LocalCluster(new ClusterDirectory(directory), Console.ofProcess());
        try {
            cluster.withStoreAlone(new LocalCluster.StartOptions(null, keys), store -> {
                opened.complete(store);
                try {
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return store;
            });
            stopped.complete(null);
        } catch (RuntimeException e) {
            opened.completeExceptionally(e);
            stopped.completeExceptionally(e);
        }
    }

    MetadataStore store() {
        return join(opened);
    }

    @Override
    public void close() {
        over.countDown();
        join(stopped);
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw FsException.of(e);
        }
    }
}
