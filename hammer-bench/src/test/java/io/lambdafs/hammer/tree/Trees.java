package io.lambdafs.hammer.tree;

import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Local trees, and file systems that hold them. */
public final class Trees {
    public static final FsPath TARGET = FsPath.of("/data");

    private Trees() {}

    /** Directories with small files, a directory above them, and a long file. */
    public static Path write(Path at, int directories, int filesEach) throws IOException {
        for (int d = 0; d < directories; d++) {
            Path directory =
                    Files.createDirectories(at.resolve("group-" + d % 7).resolve("dir-" + d));
            for (int f = 0; f < filesEach; f++) {
                Files.writeString(directory.resolve("file-" + f), "content of " + d + "/" + f, StandardCharsets.UTF_8);
            }
        }
        Files.write(at.resolve("long"), new byte[100_000]);
        return at;
    }

    public static ImportedTree importInto(Target target, Path tree) {
        return NamespaceImport.run(ImportSettings.of(tree, TARGET), target, progress -> {})
                .tree();
    }
}
