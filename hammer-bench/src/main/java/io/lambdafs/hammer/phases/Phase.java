package io.lambdafs.hammer.phases;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** One operation on each file of each client. */
public enum Phase {
    CREATE {
        @Override
        Operation<?> on(FsPath file, int bytes) {
            return new FileOperation.Create(file, 0644, false, false, 1, BLOCK_BYTES, new byte[bytes], null);
        }
    },
    STAT {
        @Override
        Operation<?> on(FsPath file, int bytes) {
            return new ReadOperation.Stat(file);
        }
    },
    /** Reads the file to its end. */
    READ {
        @Override
        Operation<?> on(FsPath file, int bytes) {
            return new ReadOperation.Open(file);
        }
    },
    RENAME {
        @Override
        Operation<?> on(FsPath file, int bytes) {
            return new NamespaceOperation.Rename(file, renamed(file), Operation.RenameMode.STRICT);
        }
    },
    DELETE {
        @Override
        Operation<?> on(FsPath file, int bytes) {
            return new NamespaceOperation.Delete(file, false);
        }
    },
    /** Deletes a renamed file. */
    DELETE_RENAMED {
        @Override
        Operation<?> on(FsPath file, int bytes) {
            return new NamespaceOperation.Delete(renamed(file), false);
        }
    };

    private static final long BLOCK_BYTES = 128L << 20;

    /**
     * Returns the operation on a file.
     *
     * @param bytes of a new file
     */
    abstract Operation<?> on(FsPath file, int bytes);

    private static FsPath renamed(FsPath file) {
        return file.parent().child(file.name() + ".renamed");
    }

    /** Returns the name used in results. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Phase> of(String label) {
        return Arrays.stream(values())
                .filter(phase -> phase.label().equals(label))
                .findFirst();
    }
}
