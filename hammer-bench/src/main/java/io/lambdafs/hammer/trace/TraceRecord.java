package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.FsPath;
import org.jspecify.annotations.Nullable;

/**
 * One recorded operation. Immutable.
 *
 * @param nanos time since an origin that all records of a trace share; never less than that of the previous record
 * @param client the sender
 * @param path of a move, its source
 * @param destination of a move; null otherwise
 * @param size bytes of a new file
 * @param overwrite whether a move replaces an existing destination
 */
public record TraceRecord(
        long nanos,
        String client,
        OperationKind kind,
        FsPath path,
        @Nullable FsPath destination,
        long size,
        boolean overwrite) {
    /** Returns whether it may change the namespace. */
    public boolean isChange() {
        return switch (kind) {
            case CREATE, MKDIRS, DELETE, MV -> true;
            case READ, STAT, LS -> false;
        };
    }
}
