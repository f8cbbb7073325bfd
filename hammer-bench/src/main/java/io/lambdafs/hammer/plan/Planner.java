package io.lambdafs.hammer.plan;

import io.lambdafs.hammer.plan.ModelDirectory.Ghost;
import io.lambdafs.hammer.tree.Contents;
import io.lambdafs.hammer.workload.OperationKind;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Chooses, for a kind of operation, one with a known answer, and skips nodes that operations in flight hold. A small
 * share of stats ask for deleted names, and of creates for existing names, so that a phantom or a lost refusal is
 * caught too. Confined to the replay's thread.
 */
public final class Planner {
    private static final int TRIES = 32;
    /** Number of files that popular directories keep, whatever is deleted or moved. */
    private static final int KEEP_FILES = 4;

    /**
     * Directories with this many entries get no new files, so that listings cost the same at the end as at the start.
     */
    private static final int FULL = 128;

    private static final int MAX_NEW_BYTES = 4_096;
    private static final double GHOST_STATS = 0.03;
    private static final double REFUSED_CREATES = 0.02;
    private static final double REUSED_NAMES = 0.10;
    private static final double DIRECTORY_STATS = 0.20;
    private static final double UPPER_LISTINGS = 0.10;
    private static final double DIRECTORY_MOVES = 0.10;
    private static final double DIRECTORY_DELETES = 0.05;

    private final NamespaceModel model;

    public Planner(NamespaceModel model) {
        this.model = model;
    }

    /** Plans an operation; null if every candidate tried is held. */
    @Nullable
    public Intent<?> plan(OperationKind kind, long draw) {
        RandomGenerator random = new SplittableRandom(draw);
        for (int i = 0; i < TRIES; i++) {
            Intent<?> intent = switch (kind) {
                case READ -> read(random);
                case STAT -> stat(random);
                case LS -> list(random);
                case CREATE -> create(random);
                case MKDIRS -> makeDirectory(random);
                case DELETE -> delete(random, i);
                case MV -> move(random, i);
            };
            if (intent != null) {
                return intent;
            }
        }
        return null;
    }

    private @Nullable Intent<?> read(RandomGenerator random) {
        ModelDirectory directory = model.popular(random);
        int files = directory.readable().size();
        if (files == 0 || !model.isAlive(directory)) {
            return null;
        }
        ModelFile file = directory.readable().get(random.nextInt(files));
        return file.tryRead() ? new Looks.Read(file) : null;
    }

    private @Nullable Intent<?> stat(RandomGenerator random) {
        ModelDirectory directory = model.popular(random);
        if (!model.isAlive(directory)) {
            return null;
        }
        double choice = random.nextDouble();
        if (choice < GHOST_STATS) {
            Ghost ghost = directory.ghost();
            if (ghost != null) {
                return directory.tryEnter() ? new Looks.StatGhost(directory, ghost) : null;
            }
        } else if (choice < GHOST_STATS + DIRECTORY_STATS && directory != model.root()) {
            return directory.tryRead() ? new Looks.StatDirectory(directory) : null;
        }
        if (directory.files().isEmpty()) {
            return null;
        }
        ModelFile file = directory.files().get(random.nextInt(directory.files().size()));
        return file.tryRead() ? new Looks.StatFile(file) : null;
    }

    private @Nullable Intent<?> list(RandomGenerator random) {
        ModelDirectory directory = model.popular(random);
        ModelDirectory above = directory.parent;
        if (above != null && random.nextDouble() < UPPER_LISTINGS) {
            directory = above;
        }
        return model.isAlive(directory) && directory.tryRead() ? new Looks.ListDirectory(directory) : null;
    }

    private @Nullable Intent<?> create(RandomGenerator random) {
        ModelDirectory directory = model.popular(random);
        if (!model.isAlive(directory) || !directory.isWritable()) {
            return null;
        }
        if (random.nextDouble() < REFUSED_CREATES && !directory.files().isEmpty()) {
            ModelFile file =
                    directory.files().get(random.nextInt(directory.files().size()));
            return file.tryRead() ? new Looks.CreateExisting(file) : null;
        }
        if (directory.children().size() >= FULL || !directory.tryEnter()) {
            return null;
        }
        Ghost gone = random.nextDouble() < REUSED_NAMES ? directory.exorcise() : null;
        String name = gone == null ? model.freshName(directory, "part-") : gone.name;
        double small = random.nextDouble();
        byte[] content = Contents.generate(random.nextLong(), (int) (MAX_NEW_BYTES * small * small));
        return new Changes.CreateFile(model, directory, name, content);
    }

    private @Nullable Intent<?> makeDirectory(RandomGenerator random) {
        ModelDirectory parent = model.popular(random);
        if (!model.isAlive(parent) || !parent.isWritable() || !parent.tryEnter()) {
            return null;
        }
        return new Changes.MakeDirectory(model, parent, model.freshName(parent, "dir-"));
    }

    private @Nullable Intent<?> delete(RandomGenerator random, int tried) {
        ModelNode node = victim(random, tried, DIRECTORY_DELETES);
        ModelDirectory parent = node == null ? null : node.parent;
        if (node == null || parent == null || !node.tryWrite()) {
            return null;
        }
        return new Changes.Delete(parent, node);
    }

    private @Nullable Intent<?> move(RandomGenerator random, int tried) {
        ModelNode node = victim(random, tried, DIRECTORY_MOVES);
        ModelDirectory from = node == null ? null : node.parent;
        if (node == null || from == null || !node.tryWrite()) {
            return null;
        }
        ModelDirectory to = random.nextBoolean() ? from : model.popular(random);
        if (!model.isAlive(to) || !to.isWritable() || !to.tryEnter()) {
            node.releaseWrite();
            return null;
        }
        String name = model.freshName(to, "moved-");
        return new Changes.Move(from, node, new Changes.Destination(to, name));
    }

    /**
     * Chooses what to move or delete: a small directory, a file of a popular directory, and after some tries a file
     * created by this run.
     */
    private @Nullable ModelNode victim(RandomGenerator random, int tried, double directories) {
        if (random.nextDouble() < directories) {
            ModelDirectory directory = model.any(random);
            return model.isSpare(directory) ? directory : null;
        }
        if (tried >= TRIES / 2) {
            ModelFile young = model.young(random);
            ModelDirectory parent = young == null ? null : young.parent;
            return parent != null && parent.readable().size() > 1 ? young : null;
        }
        ModelDirectory directory = model.popular(random);
        int files = directory.files().size();
        if (!model.isAlive(directory)
                || !directory.isWritable()
                || directory.readable().size() <= KEEP_FILES) {
            return null;
        }
        return directory.files().get(random.nextInt(files));
    }
}
