package io.lambdafs.functions.serving;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.OperationKind;

/**
 * A slow operation. Immutable.
 *
 * @param nanos from its admission to its reply
 * @param millis when it was answered, since 1970
 */
public record SlowOperation(OperationKind kind, FsPath path, long nanos, long millis) {}
