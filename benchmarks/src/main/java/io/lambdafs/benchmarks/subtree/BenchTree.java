package io.lambdafs.benchmarks.subtree;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Placement;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory that moves back and forth between two names; its files lie in subdirectories of at most {@value #FANOUT}.
 * Immutable except the name, which one thread changes and any may read.
 */
final class BenchTree {
    static final int FANOUT = 1_000;

    private final FsPath parent;
    private final String label;
    private final int files;
    private volatile boolean moved;

    BenchTree(FsPath parent, String label, int files) {
        this.parent = parent;
        this.label = label;
        this.files = files;
    }

    int files() {
        return files;
    }

    int directories() {
        return (files + FANOUT - 1) / FANOUT;
    }

    /** Returns the number of files in a subdirectory. */
    int filesIn(int directory) {
        return Math.min(FANOUT, files - directory * FANOUT);
    }

    String name(int which) {
        return label + "-" + which;
    }

    /** Returns its current path, as its mover knows it. */
    FsPath here() {
        return parent.child(name(moved ? 1 : 0));
    }

    FsPath there() {
        return parent.child(name(moved ? 0 : 1));
    }

    /** Notes a move; called by the moving thread. */
    void hasMoved() {
        boolean before = moved;
        moved = !before;
    }

    static FsPath directory(FsPath root, int number) {
        return root.child("d" + number);
    }

    static FsPath file(FsPath root, int directory, int number) {
        return directory(root, directory).child("f" + number);
    }

    /** Returns files that make every deployment cache at least the given number, if there are enough. */
    List<FsPath> sample(Placement placement, int perDeployment, int deployments) {
        FsPath root = here();
        int[] owned = new int[deployments];
        for (int i = 0; i < directories(); i++) {
            owned[placement.ofChildren(directory(root, i))]++;
        }
        List<FsPath> sample = new ArrayList<>();
        for (int i = 0; i < directories(); i++) {
            int share = owned[placement.ofChildren(directory(root, i))];
            int wanted = Math.min(filesIn(i), (perDeployment + share - 1) / share);
            for (int j = 0; j < wanted; j++) {
                sample.add(file(root, i, j));
            }
        }
        return sample;
    }
}
