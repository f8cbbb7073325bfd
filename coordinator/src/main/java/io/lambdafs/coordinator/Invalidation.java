package io.lambdafs.coordinator;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.rpc.Message;
import java.util.List;

/**
 * INV: what an instance must drop before a write commits (PROTOCOL: W5, S3). Immutable.
 *
 * @param epoch of the leader, the instance that writes
 * @param scope what the write changes
 * @param prefixes subtrees of which everything goes, and in which operations under way must end before the ACK
 */
public record Invalidation(long epoch, Scope scope, List<FsPath> prefixes) implements Message {
    public Invalidation {
        prefixes = List.copyOf(prefixes);
    }
}
