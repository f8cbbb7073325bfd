package io.lambdafs.model.disk;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Removes folders of this machine. Stateless. */
public final class Folders {
    private Folders() {}

    /**
     * Removes a folder with its content. Does nothing if it is gone.
     *
     * @param report told of what could not be removed
     */
    public static void remove(Path root, Consumer<String> report) {
        try {
            delete(root);
        } catch (IOException e) {
            report.accept("could not remove " + root + ": " + e);
        }
    }

    /** Removes a folder with its content; does nothing if it is gone. */
    public static void delete(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
