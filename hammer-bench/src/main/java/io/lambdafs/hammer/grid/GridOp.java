package io.lambdafs.hammer.grid;

import io.lambdafs.hammer.measure.CachedFiles;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The operation that a cell of a grid repeats: those of the paper's figure 11. */
enum GridOp {
    READ,
    STAT,
    LS,
    CREATE,
    MKDIRS;

    /** Number of directories among which new names are spread; the directories' names are numbers. */
    static final int SPREAD = 64;

    private static final int PAGE = 1_000;
    private static final long BLOCK_SIZE = 128L << 20;
    /** Coprime to every number of files: each file is used once before any is used again. */
    private static final long STRIDE = 1_000_003;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<GridOp> of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }

    boolean isWrite() {
        return this == CREATE || this == MKDIRS;
    }

    /**
     * Returns the operation with a number.
     *
     * @param files the files to read
     * @param fresh parent of the {@link #SPREAD} directories for new names
     */
    Operation<?> number(long number, CachedFiles files, FsPath fresh) {
        FsPath file = files.file((int) (number * STRIDE % files.count()));
        FsPath directory = fresh.child(String.valueOf(number % SPREAD));
        return switch (this) {
            case READ -> new ReadOperation.Open(file);
            case STAT -> new ReadOperation.Stat(file);
            case LS -> new ReadOperation.ListPage(file.parent(), "", PAGE);
            case CREATE ->
                new FileOperation.Create(
                        directory.child("f" + number), 0644, false, false, 1, BLOCK_SIZE, new byte[0], null);
            case MKDIRS -> new NamespaceOperation.Mkdirs(directory.child("d" + number), 0755, false);
        };
    }
}
