package io.lambdafs.door.hdfs.web;

import io.lambdafs.door.hdfs.Door;
import io.lambdafs.door.hdfs.DoorParts;
import io.lambdafs.door.hdfs.HdfsDoorConfig;
import io.lambdafs.door.hdfs.calls.BlockMap;
import io.lambdafs.door.hdfs.calls.CallIds;
import io.lambdafs.door.hdfs.calls.Contents;
import io.lambdafs.door.hdfs.calls.FileCalls;
import io.lambdafs.door.hdfs.calls.ListCalls;
import io.lambdafs.door.hdfs.calls.NameCalls;
import io.lambdafs.door.hdfs.calls.OtherDoors;
import io.lambdafs.door.hdfs.calls.StateCalls;
import io.lambdafs.door.hdfs.calls.Successors;
import io.lambdafs.door.hdfs.calls.Users;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A running door for HDFS's REST API. At most {@value #MOST_CALLS} calls wait at once. Thread-safe. */
public final class WebHdfsDoor implements Door {
    private static final int MOST_CALLS = 128;
    private static final long IDLE_SECONDS = 30;

    private final DoorParts parts;
    private final ExecutorService workers;
    private final HttpServer server;

    private WebHdfsDoor(DoorParts parts, ExecutorService workers, HttpServer server) {
        this.parts = parts;
        this.workers = workers;
        this.server = server;
    }

    /**
     * Starts a door in this process.
     *
     * @throws IllegalArgumentException if the cluster's file gives a token: a door acts for many users, by the secret
     * @throws IOException if an address or a file cannot be had
     */
    public static WebHdfsDoor start(HdfsDoorConfig config) throws IOException {
        DoorParts parts = new DoorParts(config);
        ExecutorService workers = workers();
        try {
            InetSocketAddress address = new InetSocketAddress(config.listen(), config.port());
            HttpServer server = HttpServer.start(address, handler(parts, address, workers), HttpLimits.defaults());
            parts.ready("webhdfs", server.address());
            return new WebHdfsDoor(parts, workers, server);
        } catch (IOException | RuntimeException e) {
            workers.shutdownNow();
            parts.close();
            throw e;
        }
    }

    private static ExecutorService workers() {
        AtomicInteger count = new AtomicInteger();
        return new ThreadPoolExecutor(0, MOST_CALLS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "webhdfs-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    private static WebHandler handler(DoorParts parts, InetSocketAddress address, ExecutorService workers) {
        Users users = parts.users();
        CallIds ids = parts.keys().calls();
        BlockMap blocks = new BlockMap(parts.keys().blocks(), address, new OtherDoors(address.getAddress(), List.of()));
        NameCalls names = new NameCalls(users, ids);
        FileCalls files =
                new FileCalls(users, parts.written(), blocks, ids, new Successors(users, parts.written(), blocks, ids));
        Contents contents = new Contents(users, files);
        return new WebHandler(
                new WebReads(names, new ListCalls(users, blocks), new StateCalls(users, blocks), contents),
                new WebWrites(names, files),
                new WebContents(contents, parts.metrics(), workers),
                new WebHandler.Working(workers, parts.metrics()));
    }

    @Override
    public InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        server.close();
        workers.shutdownNow();
        parts.close();
    }
}
