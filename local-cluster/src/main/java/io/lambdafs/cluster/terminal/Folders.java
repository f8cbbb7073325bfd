package io.lambdafs.cluster.terminal;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Removes folders created by commands. Stateless. */
public final class Folders {
    private Folders() {}

    /** Removes a folder with its content and reports anything it could not remove. Does nothing if it is gone. */
    public static void remove(Path root, Console console) {
        try {
            delete(root);
        } catch (IOException e) {
            console.say("could not remove " + root + ": " + e);
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
