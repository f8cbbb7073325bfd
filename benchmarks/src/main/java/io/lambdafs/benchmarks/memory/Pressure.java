package io.lambdafs.benchmarks.memory;

import com.sun.management.GarbageCollectionNotificationInfo;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.functions.cache.CacheLimits;
import io.lambdafs.functions.cache.CacheStats;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Puts a cache under memory pressure: {@value #PUBLISHERS} threads fill it with one copy of a sample after the other,
 * entries and listings, and now and then invalidate a whole copy, while equally many threads walk. Used once, by one
 * thread.
 */
final class Pressure {
    static final int PUBLISHERS = 2;

    private static final int WALKERS = 2;
    private static final int DIGITS = 3;
    /** One copy in this many is invalidated as a whole. */
    private static final int INVALIDATED = 16;

    private static final long LONGER_NANOS = 30_000_000_000L;

    private final LocalSample sample;
    private final CacheLimits limits;
    private final Console console;
    private final PathTrie trie;
    private final List<String> paths = new ArrayList<>();
    private final AtomicInteger copies = new AtomicInteger();
    private final AtomicLong peak = new AtomicLong();
    private final AtomicLong longestCollection = new AtomicLong();
    private final Histogram single = new ConcurrentHistogram(DIGITS);
    private final Histogram singleCpu = new ConcurrentHistogram(DIGITS);
    private final Histogram listing = new ConcurrentHistogram(DIGITS);
    private final Histogram listingCpu = new ConcurrentHistogram(DIGITS);
    private final Histogram invalidate = new ConcurrentHistogram(DIGITS);
    private final Histogram walk = new ConcurrentHistogram(DIGITS);
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long deadline;

    /**
     * The results; times in nanoseconds unless named otherwise.
     *
     * @param single time to publish one INode, including waits for the mutex and a processor
     * @param singleCpu CPU time of the same: a bound for its hold of the mutex on a busy machine
     * @param listing time to publish a listing, which yields the mutex now and then while it makes room
     * @param listingCpu CPU time of the same
     * @param peakBytes the highest account of the cache after any publish
     * @param collectionMillis longest pause of the garbage collector in milliseconds
     */
    record Result(
            CacheLimits limits,
            CacheStats stats,
            Histogram single,
            Histogram singleCpu,
            Histogram listing,
            Histogram listingCpu,
            Histogram invalidate,
            Histogram walk,
            long peakBytes,
            long collectionMillis) {}

    Pressure(LocalSample sample, CacheLimits limits, Console console) {
        this.sample = sample;
        this.limits = limits;
        this.console = console;
        this.trie = new PathTrie(limits);
        String[] names = new String[sample.directories().size()];
        for (int i = 0; i < names.length; i++) {
            LocalSample.Directory directory = sample.directories().get(i);
            names[i] = directory.parent() < 0 ? "" : names[directory.parent()] + "/" + directory.name();
            for (LocalSample.File file : directory.files()) {
                paths.add(names[i] + "/" + file.name());
            }
        }
    }

    Result run(int seconds) {
        warmUp();
        console.progress("filling a cache of " + limits.maxBytes() + " bytes for " + seconds + " s");
        watchCollections();
        trie.open();
        deadline = System.nanoTime() + seconds * 1_000_000_000L;
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < PUBLISHERS; i++) {
            running.add(start("publisher-" + i, this::fill));
        }
        for (int i = 0; i < WALKERS; i++) {
            running.add(start("walker-" + i, this::walk));
        }
        running.forEach(CompletableFuture::join);
        return new Result(
                limits,
                trie.stats(),
                single,
                singleCpu,
                listing,
                listingCpu,
                invalidate,
                walk,
                peak.get(),
                longestCollection.get());
    }

    /** Fills another cache once, so that class loading is not measured. */
    private void warmUp() {
        PathTrie other = new PathTrie(limits);
        other.open();
        new Filler(sample, Filler.of(other)).fill(0, Role.BOTH);
    }

    private static CompletableFuture<Void> start(String name, Runnable work) {
        return CompletableFuture.runAsync(work, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Returns whether the time is up; on a machine too busy to fill the cache, a while later. */
    private boolean isOver() {
        long late = System.nanoTime() - deadline;
        return late >= LONGER_NANOS || (late >= 0 && trie.stats().evictions() > 0);
    }

    /** Breaks off a copy at the end. */
    private static final class Over extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Over() {
            super(null, null, false, false);
        }
    }

    private void fill() {
        Filler filler = new Filler(sample, this::publish);
        try {
            while (true) {
                int copy = copies.getAndIncrement();
                filler.fill(copy, Role.BOTH);
                if (copy % INVALIDATED == 0) {
                    long began = System.nanoTime();
                    trie.invalidate(Scope.NONE, List.of(Filler.top(copy)));
                    invalidate.recordValue(System.nanoTime() - began);
                }
            }
        } catch (Over end) {
            console.progress("published " + copies.get() + " copies");
        }
    }

    private void publish(List<Fill> fills) {
        if (isOver()) {
            throw new Over();
        }
        long cpu = threads.getCurrentThreadCpuTime();
        long began = System.nanoTime();
        trie.publish(trie.ticket(), fills);
        boolean isListing = fills.get(0) instanceof Fill.Children;
        (isListing ? listing : single).recordValue(System.nanoTime() - began);
        (isListing ? listingCpu : singleCpu).recordValue(threads.getCurrentThreadCpuTime() - cpu);
        peak.accumulateAndGet(trie.stats().bytes(), Math::max);
    }

    private void walk() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!isOver()) {
            int copy = copies.get() - 1 - random.nextInt(PUBLISHERS + 1);
            FsPath path = FsPath.of(Filler.top(Math.max(0, copy)) + paths.get(random.nextInt(paths.size())));
            long began = System.nanoTime();
            trie.isCurrent(trie.walk(path).version());
            walk.recordValue(System.nanoTime() - began);
        }
    }

    private void watchCollections() {
        ManagementFactory.getGarbageCollectorMXBeans()
                .forEach(collector -> ((NotificationEmitter) collector)
                        .addNotificationListener(
                                (told, handback) -> longestCollection.accumulateAndGet(
                                        GarbageCollectionNotificationInfo.from((CompositeData) told.getUserData())
                                                .getGcInfo()
                                                .getDuration(),
                                        Math::max),
                                null,
                                null));
    }
}
