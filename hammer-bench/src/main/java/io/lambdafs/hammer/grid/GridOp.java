package io.lambdafs.hammer.grid;

import io.lambdafs.hammer.measure.CachedFiles;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.Operation;
import io.lambdafs.model.ReadOperation;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a cell of a grid asks again and again: the operations of the paper's figure 11. */
enum GridOp {
    READ,
    STAT,
    LS,
    CREATE,
    MKDIRS;

    /** Directories that new names go into in turn, as their numbers. */
    static final int SPREAD = 64;

    private static final int PAGE = 1_000;
    private static final long BLOCK_SIZE = 128L << 20;
    /** Prime to all numbers of files: each is asked for once before any is asked for again. */
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
     * The operation of a number.
     *
     * @param files what there is to be read
     * @param fresh where {@link #SPREAD} directories for new names are
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
