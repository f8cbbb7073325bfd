package io.lambdafs.door.s3;

import io.lambdafs.door.hdfs.Door;
import io.lambdafs.door.hdfs.metrics.DoorMetrics;
import io.lambdafs.door.s3.auth.AccessKeys;
import io.lambdafs.door.s3.auth.Signatures;
import io.lambdafs.door.s3.files.Accounts;
import io.lambdafs.door.s3.files.Places;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running door for S3's REST API. At most {@value #MOST_CALLS} calls wait at once, and {@value #MOST_CONTENTS} take
 * contents. Thread-safe.
 */
public final class S3Door implements Door {
    private static final Logger LOG = LoggerFactory.getLogger(S3Door.class);
    private static final int MOST_CALLS = 128;
    private static final int MOST_CONTENTS = 64;
    private static final int MOST_CONNECTIONS = 12_000;
    private static final int MOST_BODY_BYTES = 4 << 20;
    private static final long IDLE_SECONDS = 30;
    private static final Duration IDLE_CONNECTION = Duration.ofMinutes(2);

    private final Accounts accounts;
    private final ExecutorService calls;
    private final ExecutorService contents;
    private final HttpServer pages;
    private final HttpServer server;

    private S3Door(
            Accounts accounts, ExecutorService calls, ExecutorService contents, HttpServer pages, HttpServer server) {
        this.accounts = accounts;
        this.calls = calls;
        this.contents = contents;
        this.pages = pages;
        this.server = server;
    }

    /**
     * Starts a door in this process.
     *
     * @throws IllegalArgumentException if the file of keys is malformed, or open to others
     * @throws IOException if an address or a file cannot be had
     */
    public static S3Door start(S3DoorConfig config) throws IOException {
        return start(config, InstantSource.system());
    }

    /** @param clock by which signatures expire */
    static S3Door start(S3DoorConfig config, InstantSource clock) throws IOException {
        AccessKeys keys = AccessKeys.open(config.keys());
        Accounts accounts = new Accounts(config.cluster());
        DoorMetrics metrics = new DoorMetrics(accounts::reach);
        ThreadPoolExecutor calls = workers("s3", MOST_CALLS);
        ThreadPoolExecutor contents = workers("s3-contents", MOST_CONTENTS);
        metrics.watchStreams(contents::getActiveCount);
        metrics.watchFiles(contents::getActiveCount);
        HttpServer pages = null;
        try {
            pages = HttpServer.start(config.pages(), metrics, HttpLimits.pages());
            HttpServer server = HttpServer.start(
                    config.listen(),
                    new S3Handler(
                            new Signatures(keys, clock),
                            accounts,
                            new Places(config.root()),
                            config.domain(),
                            new S3Handler.Working(calls, contents, metrics)),
                    HttpLimits.defaults()
                            .withMaxBodyBytes(MOST_BODY_BYTES)
                            .withMaxConnections(MOST_CONNECTIONS)
                            .withIdleTimeout(IDLE_CONNECTION));
            S3Door door = new S3Door(accounts, calls, contents, pages, server);
            door.tell(config);
            return door;
        } catch (IOException | RuntimeException e) {
            if (pages != null) {
                pages.close();
            }
            calls.shutdownNow();
            contents.shutdownNow();
            accounts.close();
            throw e;
        }
    }

    private static ThreadPoolExecutor workers(String name, int most) {
        AtomicInteger count = new AtomicInteger();
        return new ThreadPoolExecutor(0, most, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    private void tell(S3DoorConfig config) throws IOException {
        LOG.info(
                "Door ready at http://{}, numbers at {}, buckets in {}",
                Hosts.withPort(
                        address().getAddress().getHostAddress(), address().getPort()),
                pages.address(),
                config.root());
        if (config.pagesPortFile().isPresent()) {
            ServiceMain.writePort(config.pagesPortFile().get(), pages.port());
        }
        if (config.portFile().isPresent()) {
            ServiceMain.writePort(config.portFile().get(), server.port());
        }
    }

    @Override
    public InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        LOG.info("Door stops");
        server.close();
        pages.close();
        calls.shutdownNow();
        contents.shutdownNow();
        accounts.close();
    }
}
