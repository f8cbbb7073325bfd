package io.lambdafs.hammer.plan;

import io.lambdafs.hammer.tree.ImportSettings;
import io.lambdafs.hammer.tree.ImportedTree;
import io.lambdafs.hammer.workload.Popularity;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The namespace that a replay assumes, and the popularity of its directories: Zipf-like, so that the deployment that a
 * few hot directories hash to is hot. Confined to the replay's thread.
 */
public final class NamespaceModel {
    /** Number of hottest directories that stay: moving one would move the load instead of testing a move. */
    private static final int PINNED = 64;
    /** Sizes of directories that may be the hottest: small enough to list, large enough to read from. */
    private static final int HOT_LEAST = 16;

    private static final int HOT_MOST = 64;
    /** Size of the largest directory that is moved or deleted, in files. */
    private static final int SMALL = 16;

    private static final int OWNER_LISTS = 0500;

    private final ModelDirectory root;
    private final List<ModelDirectory> directories = new ArrayList<>();
    private final List<ModelDirectory> ranked;
    private final Set<ModelDirectory> pinned = new HashSet<>();
    private final List<ModelFile> young = new ArrayList<>();
    private final Zipf zipf;
    private long names;

    /** @throws FsException {@link ErrorCode#INVALID_ARGUMENT} if the tree has no file with content */
    public NamespaceModel(ImportedTree tree, Popularity popularity, long seed) {
        root = new ModelDirectory(tree.target(), new ModelDirectory.Clock());
        directories.add(root);
        load(tree);
        ranked = rank(seed);
        if (ranked.isEmpty()) {
            throw FsException.invalidArgument(
                    "cannot replay on " + tree.target() + ": it has no file with content, so nothing can be read;"
                            + " import a tree that has files of at most "
                            + (ImportSettings.DEFAULT_SMALL_FILE_BYTES >> 10) + " KB");
        }
        zipf = new Zipf(ranked.size(), popularity.zipfExponent(), popularity.hot());
    }

    private void load(ImportedTree tree) {
        List<ImportedTree.Entry> entries = tree.entries();
        // The model has no directory that even its owner may not enter, and nothing below it.
        @Nullable ModelDirectory[] made = new @Nullable ModelDirectory[entries.size()];
        for (int i = 0; i < entries.size(); i++) {
            ImportedTree.Entry entry = entries.get(i);
            ModelDirectory parent = entry.parent() < 0 ? root : made[entry.parent()];
            if (parent == null) {
                continue;
            }
            if (!entry.isDirectory()) {
                ModelFile.Body body = entry.content()
                        ? ModelFile.Body.inline(entry.size(), entry.mtime(), entry.checksum())
                        : ModelFile.Body.absent(entry.size(), entry.mtime());
                parent.add(new ModelFile(parent, entry.name(), entry.mode(), body));
                continue;
            }
            ModelDirectory directory = new ModelDirectory(parent, entry.name(), entry.mode());
            parent.add(directory);
            if ((entry.mode() & OWNER_LISTS) == OWNER_LISTS) {
                made[i] = directory;
                directories.add(directory);
            }
        }
    }

    private List<ModelDirectory> rank(long seed) {
        List<ModelDirectory> hot = new ArrayList<>();
        List<ModelDirectory> others = new ArrayList<>();
        for (ModelDirectory directory : directories) {
            if (directory.readable().isEmpty()) {
                continue;
            }
            int size = directory.children().size();
            boolean maybeHot = directory.readable().size() >= HOT_LEAST && size <= HOT_MOST && directory.isWritable();
            (maybeHot ? hot : others).add(directory);
        }
        Random random = new Random(seed);
        Collections.shuffle(hot, random);
        Collections.shuffle(others, random);
        hot.addAll(others);
        pinned.addAll(hot.subList(0, Math.min(PINNED, hot.size())));
        return hot;
    }

    ModelDirectory root() {
        return root;
    }

    /** Draws a directory by popularity; it may have been emptied or deleted since. */
    ModelDirectory popular(RandomGenerator random) {
        return ranked.get(zipf.draw(random));
    }

    /** Draws a directory, all equally likely; it may have been deleted since. */
    ModelDirectory any(RandomGenerator random) {
        return directories.get(random.nextInt(directories.size()));
    }

    /** Returns whether a directory is small, has no subdirectories, and may be moved or deleted. */
    boolean isSpare(ModelDirectory directory) {
        ModelDirectory parent = directory.parent;
        return parent != null
                && parent.isWritable()
                && directory.isWritable()
                && !directory.hasDirectories()
                && directory.files().size() <= SMALL
                && !pinned.contains(directory);
    }

    /** Returns whether a node is still part of the tree. */
    boolean isAlive(ModelNode node) {
        return node == root || node.parent != null;
    }

    /** Draws a file created by this replay; null if there is none. */
    @Nullable
    ModelFile young(RandomGenerator random) {
        while (!young.isEmpty()) {
            int at = random.nextInt(young.size());
            ModelFile file = young.get(at);
            ModelDirectory parent = file.parent;
            if (parent != null && isAlive(parent)) {
                return file;
            }
            ModelFile last = young.remove(young.size() - 1);
            if (at < young.size()) {
                young.set(at, last);
            }
        }
        return null;
    }

    /** Returns a name that the directory does not have and never had. */
    String freshName(ModelDirectory directory, String prefix) {
        String name;
        do {
            name = prefix + names++;
        } while (directory.hasKnown(name));
        return name;
    }

    void born(ModelFile file) {
        young.add(file);
    }

    void born(ModelDirectory directory) {
        directories.add(directory);
    }
}
