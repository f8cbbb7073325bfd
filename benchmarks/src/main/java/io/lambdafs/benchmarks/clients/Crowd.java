package io.lambdafs.benchmarks.clients;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.hammer.measure.CachedFiles;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** Equally configured clients, each with a thread that calls stat in a loop. Used by one thread; runs once. */
final class Crowd implements AutoCloseable {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(60);
    private static final int DIGITS = 3;

    private final CachedFiles files;
    private final List<BlockingLambdaFs> clients = new ArrayList<>();
    private final ExecutorService threads;
    private final List<Future<Histogram>> running = new ArrayList<>();
    private final long begun = System.nanoTime();
    private final int deployments;
    private volatile boolean counts;
    private volatile boolean ended;

    /**
     * Opens the clients one after the other; each makes a call before the next opens, so it finds the connections of
     * the earlier ones.
     */
    Crowd(ClientConfig config, int size, CachedFiles files) throws InterruptedException {
        this.files = files;
        this.deployments = config.deployments();
        this.threads = Executors.newFixedThreadPool(size);
        try {
            for (int i = 0; i < size; i++) {
                BlockingLambdaFs client = BlockingLambdaFs.open(config);
                clients.add(client);
                client.stat(files.file(i % files.count()));
            }
        } catch (RuntimeException | InterruptedException e) {
            close();
            throw e;
        }
    }

    /**
     * Runs all clients until each server has a connection to every deployment, then through warm-up and measurement.
     *
     * @param warmUp time that does not count
     * @param length time that counts
     */
    Turn run(Duration warmUp, Duration length) throws InterruptedException {
        for (int i = 0; i < clients.size(); i++) {
            BlockingLambdaFs client = clients.get(i);
            SplittableRandom random = new SplittableRandom(i);
            running.add(threads.submit(() -> ask(client, random)));
        }
        awaitConnections();
        ClientMetrics.Snapshot connected = counts();
        long http = sum(ClientMetrics.Snapshot::http);
        double connectMillis = (System.nanoTime() - begun) / 1e6;
        TimeUnit.NANOSECONDS.sleep(warmUp.toNanos());
        long from = System.nanoTime();
        counts = true;
        TimeUnit.NANOSECONDS.sleep(length.toNanos());
        counts = false;
        double seconds = (System.nanoTime() - from) / 1e9;
        ended = true;
        Histogram nanos = joined();
        double hits = sum(ClientMetrics.Snapshot::cacheHits);
        return new Turn(
                connected.servers(),
                connected.connections(),
                http,
                connectMillis,
                nanos.getTotalCount() / seconds,
                nanos.getValueAtPercentile(50) / 1e3,
                nanos.getValueAtPercentile(99) / 1e3,
                hits / (hits + sum(ClientMetrics.Snapshot::cacheMisses)));
    }

    private Histogram ask(BlockingLambdaFs client, SplittableRandom random) throws InterruptedException {
        Histogram nanos = new Histogram(DIGITS);
        long last = System.nanoTime();
        while (!ended) {
            client.stat(files.file(random.nextInt(files.count())));
            long now = System.nanoTime();
            if (counts) {
                nanos.recordValue(now - last);
            }
            last = now;
        }
        return nanos;
    }

    /**
     * Waits until each server has all its connections. An instance connects to a server named in an HTTP call, and
     * clients replace a few TCP requests by HTTP.
     */
    private void awaitConnections() throws InterruptedException {
        long deadline = System.nanoTime() + CONNECT_LIMIT.toNanos();
        ClientMetrics.Snapshot now = counts();
        while (now.connections() < now.servers() * deployments
                && running.stream().noneMatch(Future::isDone)) {
            if (System.nanoTime() - deadline > 0) {
                throw new FsException(
                        ErrorCode.TIMED_OUT,
                        now.connections() + " connections stand after " + CONNECT_LIMIT.toSeconds() + " s, of "
                                + now.servers() + " servers for " + deployments + " deployments");
            }
            TimeUnit.MILLISECONDS.sleep(1);
            now = counts();
        }
    }

    /** Joins the threads' records once all have ended. */
    private Histogram joined() throws InterruptedException {
        Histogram all = new Histogram(DIGITS);
        for (Future<Histogram> each : running) {
            try {
                all.add(each.get());
            } catch (ExecutionException e) {
                throw FsException.of(e);
            }
        }
        return all;
    }

    /** Returns the counts of servers and connections, which all clients share. */
    private ClientMetrics.Snapshot counts() {
        return clients.get(0).async().metrics().snapshot();
    }

    private long sum(ToLongFunction<ClientMetrics.Snapshot> count) {
        return clients.stream()
                .mapToLong(client -> count.applyAsLong(client.async().metrics().snapshot()))
                .sum();
    }

    /** Closes all clients; pending calls fail. */
    @Override
    public void close() {
        ended = true;
        clients.forEach(BlockingLambdaFs::close);
        threads.shutdown();
    }
}
