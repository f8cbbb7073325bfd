package io.lambdafs.benchmarks.coherence;

import io.lambdafs.model.AttributeOperation;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.Operation;
import java.util.Locale;

/** The kinds of writes, in the order of measurement; the later ones change the files that {@code CREATE} makes. */
enum WriteKind {
    MKDIRS {
        @Override
        Operation<?> of(FsPath parent, int number) {
            return new NamespaceOperation.Mkdirs(parent.child("d" + number), 0755, false);
        }
    },
    CREATE {
        @Override
        Operation<?> of(FsPath parent, int number) {
            return new FileOperation.Create(
                    parent.child("f" + number), 0644, false, false, 1, 128L << 20, new byte[0], null);
        }
    },
    CHMOD {
        @Override
        Operation<?> of(FsPath parent, int number) {
            return new AttributeOperation.SetPermission(parent.child("f" + number), 0600);
        }
    },
    RENAME {
        @Override
        Operation<?> of(FsPath parent, int number) {
            return new NamespaceOperation.Rename(
                    parent.child("f" + number), parent.child("g" + number), Operation.RenameMode.STRICT);
        }
    },
    DELETE {
        @Override
        Operation<?> of(FsPath parent, int number) {
            return new NamespaceOperation.Delete(parent.child("g" + number), false);
        }
    };

    abstract Operation<?> of(FsPath parent, int number);

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
