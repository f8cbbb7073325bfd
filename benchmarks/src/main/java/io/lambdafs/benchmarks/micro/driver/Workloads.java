package io.lambdafs.benchmarks.micro.driver;

import io.lambdafs.hammer.loop.Calls;
import io.lambdafs.hammer.loop.LoopResult;
import io.lambdafs.hammer.loop.Span;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Prepares workloads before the measured time: trees for reading are created once, trees that a measurement changes
 * anew for each. Confined to one thread.
 */
final class Workloads {
    private static final int MAKERS = 64;
    private static final int SMALL_DIRECTORIES = 256;
    private static final int SMALL_FILES = 16;
    private static final int MIDDLE_FILES = 1_000;
    private static final int LARGE_FILES = 10_000;
    private static final int MOVING_FILES = 16;
    private static final int FIRST_POOL = 2_000;
    private static final int LARGEST_POOL = 20_000;
    private static final double POOL_MARGIN = 1.3;

    private final Api<?> maker;
    private final String root;
    private final Tree small;
    private final Tree middle;
    private final Tree large;
    private final Tree spotify;
    private final Set<Tree> made = new HashSet<>();
    /** Deletions per second by number of lanes, as last measured. */
    private final Map<Integer, Double> deletions = new HashMap<>();

    /** The number of renames of each tree's directories, by lane. */
    private final Map<Tree, int[]> moved = new HashMap<>();

    private int runs;

    /**
     * Creates an object without any trees.
     *
     * @param maker interface that creates the trees
     * @param root a directory for these trees alone
     * @param directories directories in the tree of the Spotify mix
     */
    Workloads(Api<?> maker, String root, int directories) {
        this.maker = maker;
        this.root = root;
        this.small = new Tree(root + "/small", SMALL_DIRECTORIES, SMALL_FILES);
        this.middle = new Tree(root + "/middle", 1, MIDDLE_FILES);
        this.large = new Tree(root + "/large", 1, LARGE_FILES);
        this.spotify = new Tree(root + "/spotify", directories, SpotifyMix.FILES);
    }

    /**
     * Returns the workload of one measurement and creates everything it needs.
     *
     * @param length length of the measurement
     * @param path makes paths of the measured interface
     */
    <P> Calls<Step<P>> workload(MicroOp op, int lanes, Duration length, long seed, Function<String, P> path)
            throws IOException, InterruptedException {
        String run = "r" + runs++;
        return switch (op) {
            case STAT -> picked(made(small), Step.Kind.STAT, lanes, seed, path);
            case OPEN -> picked(made(small), Step.Kind.OPEN, lanes, seed, path);
            case LS16 -> listed(made(small), lanes, seed, path);
            case LS1000 -> listed(made(middle), lanes, seed, path);
            case LS10000 -> listed(made(large), lanes, seed, path);
            case MKDIRS -> named(new Tree(root + "/" + run, lanes, 0), Step.Kind.MKDIRS, path);
            case CREATE -> named(new Tree(root + "/" + run, lanes, 0), Step.Kind.CREATE, path);
            case CREATESAME -> crowded(new Tree(root + "/" + run, 1, 0), path, lanes);
            case RENAME -> moved(made(new Tree(root + "/" + run, lanes, MOVING_FILES)), path);
            case RENAMEDIR1000 -> directoriesMoved(MIDDLE_FILES, lanes, path);
            case RENAMEDIR10000 -> directoriesMoved(LARGE_FILES, lanes, path);
            case DELETE -> deleted(made(pool(run, lanes, length)), path);
            case SPOTIFY -> new SpotifyMix<>(made(spotify), path, run, lanes, seed);
        };
    }

    /** Notes the result of a measurement, to size the next one's pool. */
    void learn(MicroOp op, int lanes, LoopResult outcome) {
        if (op == MicroOp.DELETE) {
            deletions.put(lanes, outcome.opsPerSecond());
        }
    }

    private Tree pool(String run, int lanes, Duration length) {
        Double rate = deletions.get(lanes);
        double wanted = rate == null ? FIRST_POOL : rate * POOL_MARGIN * length.toMillis() / 1e3;
        int files = (int) Math.max(lanes, Math.min(LARGEST_POOL, wanted));
        return new Tree(root + "/" + run, lanes, (files + lanes - 1) / lanes);
    }

    private Tree made(Tree tree) throws IOException, InterruptedException {
        if (made.add(tree)) {
            make(maker, tree);
        }
        return tree;
    }

    private static <P> void make(Api<P> api, Tree tree) throws IOException, InterruptedException {
        all(api, tree.directories(), i -> Step.of(Step.Kind.MKDIRS, api.path(tree.directory(i))));
        all(api, tree.size(), i -> Step.of(Step.Kind.CREATE, api.path(tree.file(i))));
    }

    private static <P> void all(Api<P> api, int count, IntFunction<Step<P>> steps)
            throws IOException, InterruptedException {
        AtomicInteger next = new AtomicInteger();
        Calls<Step<P>> workload = lane -> {
            int number = next.getAndIncrement();
            return number < count ? steps.apply(number) : null;
        };
        LoopResult outcome = api.loop(workload).run(MAKERS, Span.untilFailure(System.nanoTime()));
        if (outcome.failed() > 0) {
            throw new IOException("a call failed while the files were made: "
                    + outcome.failures().get(0));
        }
    }

    /** Calls on files at random. */
    private static <P> Calls<Step<P>> picked(
            Tree tree, Step.Kind kind, int lanes, long seed, Function<String, P> path) {
        return drawn(tree.size(), number -> Step.of(kind, path.apply(tree.file(number))), lanes, seed);
    }

    /** Listings of directories at random. */
    private static <P> Calls<Step<P>> listed(Tree tree, int lanes, long seed, Function<String, P> path) {
        return drawn(
                tree.directories(), number -> Step.list(path.apply(tree.directory(number)), tree.files()), lanes, seed);
    }

    private static <P> Calls<Step<P>> drawn(int count, IntFunction<Step<P>> steps, int lanes, long seed) {
        @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no other way to create a generic array.
        Step<P>[] all = new Step[count];
        for (int i = 0; i < count; i++) {
            all[i] = steps.apply(i);
        }
        SplittableRandom seeds = new SplittableRandom(seed);
        SplittableRandom[] randoms = new SplittableRandom[lanes];
        for (int i = 0; i < lanes; i++) {
            randoms[i] = seeds.split();
        }
        return lane -> all[randoms[lane].nextInt(count)];
    }

    /** Calls that create names, each lane in a directory of its own. */
    private <P> Calls<Step<P>> named(Tree tree, Step.Kind kind, Function<String, P> path)
            throws IOException, InterruptedException {
        made(tree);
        int[] names = new int[tree.directories()];
        return lane -> Step.of(kind, path.apply(tree.file(lane, names[lane]++)));
    }

    /** Calls that create files, all in one directory. */
    private <P> Calls<Step<P>> crowded(Tree tree, Function<String, P> path, int lanes)
            throws IOException, InterruptedException {
        made(tree);
        int[] names = new int[lanes];
        return lane -> Step.of(Step.Kind.CREATE, path.apply(tree.directory(0) + "/l" + lane + "-" + names[lane]++));
    }

    /** Renames, in which each lane gives the files of its directory new names one after the other. */
    private static <P> Calls<Step<P>> moved(Tree tree, Function<String, P> path) {
        int[] moves = new int[tree.directories()];
        return lane -> {
            int move = moves[lane]++;
            int times = move / MOVING_FILES;
            String file = tree.file(lane, move % MOVING_FILES);
            return Step.rename(
                    path.apply(times == 0 ? file : file + "-" + times), path.apply(file + "-" + (times + 1)));
        };
    }

    /**
     * Renames, in which each lane gives its directory one new name after the other and continues in the next
     * measurement.
     */
    private <P> Calls<Step<P>> directoriesMoved(int files, int lanes, Function<String, P> path)
            throws IOException, InterruptedException {
        Tree tree = made(new Tree(root + "/moved-" + files + "-" + lanes, lanes, files));
        int[] moves = moved.computeIfAbsent(tree, each -> new int[lanes]);
        return lane -> {
            int move = moves[lane]++;
            String directory = tree.directory(lane);
            return Step.rename(
                    path.apply(move == 0 ? directory : directory + "-" + move),
                    path.apply(directory + "-" + (move + 1)));
        };
    }

    /** Deletions of a tree's files, each once, by whichever lane comes first. */
    private static <P> Calls<Step<P>> deleted(Tree tree, Function<String, P> path) {
        AtomicInteger next = new AtomicInteger();
        return lane -> {
            int number = next.getAndIncrement();
            return number < tree.size() ? Step.of(Step.Kind.DELETE, path.apply(tree.file(number))) : null;
        };
    }
}
