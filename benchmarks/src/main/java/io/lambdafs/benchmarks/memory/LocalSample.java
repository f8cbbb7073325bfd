package io.lambdafs.benchmarks.memory;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The names, sizes and times of a local directory tree; unreadable entries and unsupported names are left out.
 *
 * @param directories all directories, parents before children; the first is the tree's root
 */
record LocalSample(List<Directory> directories) {
    /**
     * A directory of the sample.
     *
     * @param parent index of the parent; -1 for the root of the tree
     */
    record Directory(int parent, String name, long mtime, List<File> files) {}

    record File(String name, long size, long mtime) {}

    /**
     * Reads a tree without following links.
     *
     * @throws FsException {@link ErrorCode#NOT_FOUND} if the tree does not exist or is empty
     */
    static LocalSample of(Path tree) {
        Reader reader = new Reader();
        try {
            Files.walkFileTree(tree, reader);
        } catch (IOException e) {
            throw new FsException(ErrorCode.NOT_FOUND, "cannot read \"" + tree + "\" (" + e + "); name a directory");
        }
        LocalSample sample = new LocalSample(reader.directories);
        if (sample.size() < 2) {
            throw new FsException(ErrorCode.NOT_FOUND, "no files in \"" + tree + "\"; name a directory with files");
        }
        return sample;
    }

    /** Returns the number of files and directories. */
    int size() {
        return directories.stream().mapToInt(d -> 1 + d.files().size()).sum();
    }

    private static final class Reader extends SimpleFileVisitor<Path> {
        final List<Directory> directories = new ArrayList<>();
        final Deque<Integer> open = new ArrayDeque<>();

        @Override
        public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            String name = String.valueOf(path.getFileName());
            if (!open.isEmpty() && !FsPath.isValidName(name)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            int parent = open.isEmpty() ? -1 : open.getLast();
            open.addLast(directories.size());
            directories.add(
                    new Directory(parent, name, attributes.lastModifiedTime().toMillis(), new ArrayList<>()));
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            String name = String.valueOf(path.getFileName());
            if (!open.isEmpty() && FsPath.isValidName(name)) {
                long mtime = attributes.lastModifiedTime().toMillis();
                directories.get(open.getLast()).files().add(new File(name, attributes.size(), mtime));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path path, IOException why) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path path, IOException why) {
            open.removeLast();
            return FileVisitResult.CONTINUE;
        }
    }
}
