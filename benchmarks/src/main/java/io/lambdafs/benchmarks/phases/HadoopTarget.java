package io.lambdafs.benchmarks.phases;

import io.lambdafs.hammer.phases.PhaseTarget;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Any Hadoop file system, one object for all threads. Thread-safe. */
final class HadoopTarget implements PhaseTarget {
    private static final byte[] NOTHING = {};

    private final FileSystem fs;

    HadoopTarget(FileSystem fs) {
        this.fs = fs;
    }

    @Override
    public boolean call(Operation<?> operation) {
        try {
            return asked(operation);
        } catch (IOException | RuntimeException e) {
            throw e instanceof FsException known ? known : new FsException(ErrorCode.INTERNAL, e.toString(), e);
        }
    }

    private boolean asked(Operation<?> operation) throws IOException {
        Path path = path(operation.path());
        if (operation instanceof NamespaceOperation.Mkdirs) {
            return fs.mkdirs(path);
        }
        if (operation instanceof FileOperation.Create create) {
            try (OutputStream out = fs.create(path, create.overwrite())) {
                byte[] content = create.content();
                out.write(content == null ? NOTHING : content);
            }
            return true;
        }
        if (operation instanceof ReadOperation.Stat) {
            return fs.getFileStatus(path) != null;
        }
        if (operation instanceof ReadOperation.Open) {
            try (InputStream in = fs.open(path)) {
                long unused = in.transferTo(OutputStream.nullOutputStream());
            }
            return true;
        }
        if (operation instanceof NamespaceOperation.Rename rename) {
            return fs.rename(path, path(rename.destination()));
        }
        if (operation instanceof NamespaceOperation.Delete delete) {
            return fs.delete(path, delete.recursive());
        }
        throw new IllegalArgumentException("no phase asks for " + operation.kind());
    }

    private static Path path(FsPath path) {
        return new Path(path.toString());
    }
}
