package io.lambdafs.benchmarks.stores;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.dump.Dump;
import io.lambdafs.cluster.dump.Load;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.disk.Folders;
import io.lambdafs.store.MetadataStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Starts a store alone, fills it, dumps it and loads the dump into another one, then measures its operations. Single
 * use.
 */
final class StoresBench {
    private static final int LOAD_THREADS = 4;
    private static final int HEAP_MB = 512;

    private final Settings settings;
    private final Path folder;
    private final Console console;

    /**
     * The parameters of the bench.
     *
     * @param engine {@code embedded}, {@code postgres} or {@code ndb}
     * @param rounds turns
     * @param seconds length of each kind in a turn
     * @param loads how often the store is dumped, and the last dump loaded
     */
    record Settings(String engine, int inodes, int rounds, double seconds, int loads) {
        int directories() {
            return Math.max(2 * Kind.DIRECTORIES, inodes / (Kind.LISTED + 1));
        }

        /** Returns the number of INodes besides the root. */
        long filled() {
            return (long) directories() * (Kind.LISTED + 1);
        }
    }

    /**
     * The results, in operations or INodes per second.
     *
     * @param dumps in their order
     * @param loads in their order
     */
    record Result(List<Double> dumps, List<Loaded> loads, Map<Kind, List<Double>> store) {
        /** Returns the load that counts. */
        Loaded loaded() {
            return counting(loads, Comparator.comparingDouble(Loaded::verified));
        }

        /** Returns the dump that counts. */
        double dumped() {
            return counting(dumps, Comparator.naturalOrder());
        }

        /** Returns the median of all but the first, which compiles code, or the only one. */
        private static <T> T counting(List<T> all, Comparator<T> order) {
            List<T> warm = all.size() == 1 ? all : all.subList(1, all.size());
            return warm.stream().sorted(order).toList().get(warm.size() / 2);
        }
    }

    /**
     * INodes per second of a load.
     *
     * @param verified with the time to read all of it again
     * @param written without it
     */
    record Loaded(double verified, double written) {}

    StoresBench(Settings settings, Path folder, Console console) {
        this.settings = settings;
        this.folder = folder;
        this.console = console;
    }

    Result run() {
        LocalCluster cluster = cluster("first");
        return cluster.withStoreAlone(options(), store -> {
            try {
                return measure(store);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        });
    }

    private LocalCluster cluster(String name) {
        return new LocalCluster(new ClusterDirectory(folder.resolve(name)), console);
    }

    private LocalCluster.StartOptions options() {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        keys.putObject("store")
                .put("engine", settings.engine())
                .put("heapMb", HEAP_MB)
                .put("ndbMemoryMb", Math.max(256, settings.inodes() / 500));
        return new LocalCluster.StartOptions(null, keys);
    }

    private Result measure(MetadataStore store) throws InterruptedException {
        Formatter.format(store, 4, "root", System.currentTimeMillis())
                .toCompletableFuture()
                .join();
        SpiLoad load = new SpiLoad(store, settings.directories());
        load.fill();
        say("%,d INodes are there", settings.filled());
        List<Double> dumps = new ArrayList<>();
        Path last = folder.resolve("dump-0");
        for (int i = 0; i < settings.loads(); i++) {
            Folders.remove(last, console::say);
            last = folder.resolve("dump-" + i);
            dumps.add(dump(store, last));
        }
        Path dump = last;
        List<Loaded> loads = new ArrayList<>();
        cluster("second").withStoreAlone(options(), other -> {
            for (int i = 0; i < settings.loads(); i++) {
                if (i > 0) {
                    EmptiedStore.empty(other);
                }
                loads.add(load(other, dump));
            }
            return loads;
        });
        Map<Kind, List<Double>> mine = new EnumMap<>(Kind.class);
        for (int round = 0; round < settings.rounds(); round++) {
            for (Kind kind : Kind.values()) {
                load.perSecond(kind, 1);
                mine.computeIfAbsent(kind, none -> new ArrayList<>()).add(load.perSecond(kind, settings.seconds()));
            }
            say("round %d of %d", round + 1, settings.rounds());
        }
        return new Result(dumps, loads, mine);
    }

    private double dump(MetadataStore store, Path to) {
        long began = System.nanoTime();
        Dump.run(store, to, false, (what, rows, all) -> {});
        double dumped = perSecond(System.nanoTime() - began);
        say("dumped %,.0f a second", dumped);
        return dumped;
    }

    private Loaded load(MetadataStore store, Path dump) {
        AtomicLong wrote = new AtomicLong();
        long start = System.nanoTime();
        Load.run(store, dump, LOAD_THREADS, Load.Comparing.of(settings.engine()), (what, rows, all) -> {
            if (what.equals(Load.LOADING) && rows == all) {
                wrote.set(System.nanoTime() - start);
            }
        });
        Loaded loaded = new Loaded(perSecond(System.nanoTime() - start), perSecond(wrote.get()));
        say("loaded %,.0f a second, and with reading them again %,.0f", loaded.written(), loaded.verified());
        return loaded;
    }

    private double perSecond(long nanos) {
        return settings.filled() * 1e9 / nanos;
    }

    private void say(String what, Object... values) {
        console.say(String.format(Locale.ROOT, what, values));
    }
}
