package io.lambdafs.benchmarks.micro.driver;

import io.lambdafs.hammer.loop.Calls;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.hammer.workload.OperationMix;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Calls in the proportions of the Spotify workload over a tree of {@code directories} × {@value #FILES} files, all
 * equally popular. A lane moves and deletes files that it created before, so every call must succeed; without any it
 * creates one.
 */
final class SpotifyMix<P> implements Calls<Step<P>> {
    /** Files per directory. */
    static final int FILES = 20;

    private final Tree tree;
    private final Function<String, P> path;
    private final List<P> directories;
    private final List<P> files;
    private final String run;
    private final Mine[] lanes;

    /** The state of a lane. */
    private static final class Mine {
        private final SplittableRandom random;
        private final Queue<String> files = new ArrayDeque<>();
        private int names;

        Mine(long seed) {
            random = new SplittableRandom(seed);
        }
    }

    /** @param run part of the names of new files and directories, unique to this run */
    SpotifyMix(Tree tree, Function<String, P> path, String run, int lanes, long seed) {
        this.tree = tree;
        this.path = path;
        // Paths are made in advance, as for the other operations: parsing is not part of a file system's work.
        this.directories = IntStream.range(0, tree.directories())
                .mapToObj(number -> path.apply(tree.directory(number)))
                .toList();
        this.files = IntStream.range(0, tree.size())
                .mapToObj(number -> path.apply(tree.file(number)))
                .toList();
        this.run = run;
        this.lanes = new Mine[lanes];
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < lanes; i++) {
            this.lanes[i] = new Mine(seeds.nextLong());
        }
    }

    /** @param u at least 0, below 1 */
    static OperationKind kind(double u) {
        return OperationMix.SPOTIFY.at(u);
    }

    @Override
    public Step<P> next(int lane) {
        Mine mine = lanes[lane];
        OperationKind kind = kind(mine.random.nextDouble());
        return switch (kind) {
            case READ -> Step.of(Step.Kind.OPEN, any(files, mine));
            case STAT -> Step.of(Step.Kind.STAT, any(files, mine));
            case LS -> Step.list(any(directories, mine), FILES);
            case MKDIRS -> Step.of(Step.Kind.MKDIRS, path.apply(fresh(mine, lane)));
            case CREATE -> create(mine, lane);
            case DELETE -> {
                String file = mine.files.poll();
                yield file == null ? create(mine, lane) : Step.of(Step.Kind.DELETE, path.apply(file));
            }
            case MV -> {
                String file = mine.files.poll();
                yield file == null ? create(mine, lane) : move(mine, file, fresh(mine, lane));
            }
        };
    }

    private Step<P> create(Mine mine, int lane) {
        String file = fresh(mine, lane);
        mine.files.add(file);
        return Step.of(Step.Kind.CREATE, path.apply(file));
    }

    private Step<P> move(Mine mine, String from, String to) {
        mine.files.add(to);
        return Step.rename(path.apply(from), path.apply(to));
    }

    private P any(List<P> of, Mine mine) {
        return of.get(mine.random.nextInt(of.size()));
    }

    private String fresh(Mine mine, int lane) {
        return tree.directory(mine.random.nextInt(tree.directories())) + "/" + run + "-" + lane + "-" + mine.names++;
    }
}
