package io.lambdafs.benchmarks.scattered;

import io.lambdafs.model.FsException;
import io.lambdafs.model.INode;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.Guard;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreLimits;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.embedded.RocksSettings;
import io.lambdafs.store.embedded.RocksStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates files in an embedded store, each by one guarded commit, as instances do if no other instance caches the
 * directory. Single use.
 */
final class ScatteredBench {
    private static final long FIRST_DIRECTORY = 1_000;
    private static final long FIRST_FILE = 1_000_000;
    private static final byte[] ANSWER = new byte[64];
    private static final INode.Traits TRAITS =
            new INode.Traits(INode.Kind.FILE, "user", "users", 0644, 1, 128 << 20, INode.Content.NONE);

    private final Settings settings;
    private final Semaphore room;
    private final AtomicReference<@Nullable FsException> failure = new AtomicReference<>();
    private final Random random;

    /**
     * The parameters of the bench.
     *
     * @param window creates in flight
     * @param steps number of timed parts
     */
    record Settings(long inodes, int directories, int window, int steps, boolean fsync, long seed) {}

    /** The result of one part: the files after it, its creates per second, and the time of a store's start after it. */
    record Step(long inodes, double perSecond, double startMillis) {}

    ScatteredBench(Settings settings) {
        this.settings = settings;
        this.room = new Semaphore(settings.window());
        this.random = new Random(settings.seed());
    }

    /** Fills a store in a new directory. */
    List<Step> run(Path directory, Consumer<Step> progress) throws InterruptedException {
        List<Step> steps = new ArrayList<>();
        RocksSettings base = RocksSettings.of(directory);
        RocksSettings with = new RocksSettings(
                base.directory(),
                settings.fsync(),
                base.cacheBytes(),
                base.memtableBytes(),
                base.minFreeBytes(),
                base.readThreads());
        long made = 0;
        for (int i = 1; i <= settings.steps(); i++) {
            long until = settings.inodes() * i / settings.steps();
            try (SystemScheduler scheduler = new SystemScheduler("scattered", 1, 2 * settings.window())) {
                long opening = System.nanoTime();
                try (RocksStore store = RocksStore.open(scheduler, StoreLimits.defaults(), with)) {
                    long began = System.nanoTime();
                    if (made == 0) {
                        makeDirectories(store);
                    } else {
                        steps.set(i - 2, started(steps.get(i - 2), began - opening));
                    }
                    createAll(store, made, until);
                    double seconds = (System.nanoTime() - began) / 1e9;
                    steps.add(new Step(until, (until - made) / seconds, 0));
                    progress.accept(steps.get(i - 1));
                    made = until;
                }
            }
        }
        steps.set(steps.size() - 1, started(steps.get(steps.size() - 1), startNanos(with)));
        return steps;
    }

    private static Step started(Step step, long nanos) {
        return new Step(step.inodes(), step.perSecond(), nanos / 1e6);
    }

    private static long startNanos(RocksSettings with) {
        try (SystemScheduler scheduler = new SystemScheduler("scattered", 1, 100)) {
            long opening = System.nanoTime();
            RocksStore store = RocksStore.open(scheduler, StoreLimits.defaults(), with);
            long took = System.nanoTime() - opening;
            store.close();
            return took;
        }
    }

    private void makeDirectories(RocksStore store) {
        List<Mutation> changes = new ArrayList<>();
        for (int i = 0; i < settings.directories(); i++) {
            INode made = directory(i);
            changes.add(new Mutation.Put(Rows.of(made)));
            changes.add(new Mutation.Put(Rows.location(made)));
        }
        store.begin(0).commit(changes, Long.MAX_VALUE).toCompletableFuture().join();
    }

    private static INode directory(int number) {
        return INode.directory(
                INode.ROOT_ID, "directory-" + number, FIRST_DIRECTORY + number, "root", "users", 0755, 1);
    }

    private void createAll(RocksStore store, long from, long until) throws InterruptedException {
        for (long i = from; i < until; i++) {
            room.acquire();
            create(store, i);
        }
        room.acquire(settings.window());
        room.release(settings.window());
        FsException first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    private void create(RocksStore store, long number) {
        INode parent = directory(random.nextInt(settings.directories()));
        INode file = new INode(
                parent.id(),
                "part-" + Long.toHexString(random.nextLong()),
                FIRST_FILE + number,
                TRAITS,
                0,
                number,
                number,
                0);
        Row slot = new Row(Schema.SLOTS.key("client", number % settings.window()), number, ANSWER, Long.MAX_VALUE);
        GuardedCommit commit = new GuardedCommit(
                List.of(
                        Read.shared(Rows.inodeKey(parent.parentId(), parent.name())),
                        Read.shared(Rows.listingKey(parent.id())),
                        Read.exclusive(Rows.inodeKey(file.parentId(), file.name()))),
                List.of(new Guard.Same(Rows.of(parent)), new Guard.Any(), new Guard.Absent()),
                List.of(
                        Rows.childrenChanged(parent.id(), 1, number),
                        new Mutation.Put(Rows.of(file)),
                        new Mutation.Put(slot)),
                Long.MAX_VALUE);
        StoreTransaction transaction = store.begin(0);
        transaction.commitIf(commit).whenComplete((rows, thrown) -> {
            if (thrown != null) {
                failure.compareAndSet(null, FsException.of(thrown));
            } else if (rows.isPresent()) {
                // Two random names are the same: the file exists.
                transaction.abort();
            }
            room.release();
        });
    }
}
