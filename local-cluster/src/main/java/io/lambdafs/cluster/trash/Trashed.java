package io.lambdafs.cluster.trash;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Reply;
import java.time.Instant;
import java.util.Optional;

/**
 * One entry of a user's trash. Immutable.
 *
 * @param made when it was made; empty if it is no checkpoint
 * @param purged when it is removed at the earliest; empty if never, or if that is not known here
 */
record Trashed(String user, FsPath path, Optional<Instant> made, Optional<Instant> purged, Reply.Totals totals) {
    boolean isCheckpoint() {
        return made.isPresent();
    }
}
