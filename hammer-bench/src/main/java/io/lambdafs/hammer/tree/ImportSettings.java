package io.lambdafs.hammer.tree;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The source, destination and limits of an import. Immutable.
 *
 * @param tree local directory whose entries are imported
 * @param target directory of the file system that receives them; created if missing, must be empty
 * @param maxFiles maximum number of files to import, 1–10,000,000; chosen breadth first in order of names
 * @param smallFileBytes maximum length of content that is kept with the metadata, bytes, 0–512 KiB; longer files are
 * imported without content
 * @param window maximum number of operations in flight, 1–65,536
 * @param names names to import instead of the local directory's; null for the local ones
 */
public record ImportSettings(
        Path tree,
        FsPath target,
        int maxFiles,
        int smallFileBytes,
        int window,
        @Nullable TreeNames names) {
    public static final int DEFAULT_MAX_FILES = 50_000;
    public static final int DEFAULT_SMALL_FILE_BYTES = 64 << 10;
    public static final int DEFAULT_WINDOW = 128;

    public ImportSettings {
        Limits.check("import: files", maxFiles, 1, 10_000_000);
        Limits.check("import: small file bytes", smallFileBytes, 0, Operation.MAX_INLINE_BYTES);
        Limits.check("import: window", window, 1, 65_536);
        if (target.isRoot()) {
            throw FsException.invalidArgument("import: the target must be a directory below /, for instance /data");
        }
    }

    /** Returns the default settings. */
    public static ImportSettings of(Path tree, FsPath target) {
        return new ImportSettings(tree, target, DEFAULT_MAX_FILES, DEFAULT_SMALL_FILE_BYTES, DEFAULT_WINDOW, null);
    }

    public ImportSettings withMaxFiles(int files) {
        return new ImportSettings(tree, target, files, smallFileBytes, window, names);
    }

    public ImportSettings withSmallFileBytes(int bytes) {
        return new ImportSettings(tree, target, maxFiles, bytes, window, names);
    }

    public ImportSettings withWindow(int operations) {
        return new ImportSettings(tree, target, maxFiles, smallFileBytes, operations, names);
    }

    public ImportSettings withNames(@Nullable TreeNames told) {
        return new ImportSettings(tree, target, maxFiles, smallFileBytes, window, told);
    }
}
