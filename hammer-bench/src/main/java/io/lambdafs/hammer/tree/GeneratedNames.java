package io.lambdafs.hammer.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A uniform tree of empty files. Immutable.
 *
 * @param depth levels of directories, 0–64
 * @param fanOut directories in each directory above the last level, 1–100,000
 * @param files in every directory, including the top, 0–1,000,000
 * @param nameLength letters of a name, 2–255: enough to number the files and subdirectories of a directory
 */
public record GeneratedNames(int depth, int fanOut, int files, int nameLength) implements TreeNames {
    /** More than the maximum of any import. */
    private static final double MOST = 20_000_000;

    public GeneratedNames {
        Limits.check("tree: depth", depth, 0, 64);
        Limits.check("tree: fan-out", fanOut, 1, 100_000);
        Limits.check("tree: files", files, 0, 1_000_000);
        int needed = 1 + String.valueOf(Math.max(fanOut, files) - 1).length();
        Limits.check("tree: name length (to number what is in a directory)", nameLength, needed, 255);
        Limits.check("tree: files and directories in all", entries(depth, fanOut, files), 1, MOST);
    }

    private static double entries(int depth, int fanOut, int files) {
        double level = 1;
        double directories = 1;
        for (int i = 0; i < depth; i++) {
            level *= fanOut;
            directories += level;
        }
        return directories - 1 + directories * files;
    }

    @Override
    public void tell(Sink sink) {
        List<Integer> level = List.of(Sink.TOP);
        for (int deep = 0; deep <= depth; deep++) {
            List<Integer> below = new ArrayList<>();
            for (int directory : level) {
                for (int i = 0; i < files && !sink.isFull(); i++) {
                    int unused = sink.add(directory, name('f', i), false, 0);
                }
                for (int i = 0; deep < depth && i < fanOut && !sink.isFull(); i++) {
                    below.add(sink.add(directory, name('d', i), true, 0));
                }
            }
            level = below;
        }
    }

    private String name(char kind, int number) {
        return kind + String.format(Locale.ROOT, "%0" + (nameLength - 1) + "d", number);
    }

    @Override
    public String describe() {
        return String.format(
                Locale.ROOT,
                "a generated tree (depth %d, fan-out %d, %,d files in each directory, names of %d letters)",
                depth,
                fanOut,
                files,
                nameLength);
    }
}
