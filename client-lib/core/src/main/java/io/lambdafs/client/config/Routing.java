package io.lambdafs.client.config;

import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Placement;

/**
 * Chooses the deployment of a request. Any of them answers; the one that owns the path has it in its cache, so any
 * other choice suits services without caches only. Thread-safe.
 */
@FunctionalInterface
public interface Routing {
    /** To the owner of the path. */
    Routing BY_PATH = Placement::of;

    /** The deployment's number, below {@link Placement#deployments}. */
    int deployment(Placement placement, Operation<?> operation);
}
