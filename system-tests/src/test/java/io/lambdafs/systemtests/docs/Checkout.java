package io.lambdafs.systemtests.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The text files of this checkout. */
final class Checkout {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private Checkout() {}

    static String read(String path) throws IOException {
        return Files.readString(ROOT.resolve(path));
    }

    /** Returns all files with one of these endings, by path from the root. Build output, installed packages and hidden folders are left out. */
    static Map<Path, String> files(String... endings) throws IOException {
        Predicate<Path> wanted = file -> {
            for (String ending : endings) {
                if (file.toString().endsWith(ending)) {
                    return true;
                }
            }
            return false;
        };
        Map<Path, String> found = new TreeMap<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean hidden = name.startsWith(".") && !folder.equals(ROOT);
                return hidden || name.equals("target") || name.equals("node_modules")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (wanted.test(file)) {
                    found.put(ROOT.relativize(file), Files.readString(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
