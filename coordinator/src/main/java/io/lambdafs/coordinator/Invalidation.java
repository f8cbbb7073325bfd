package io.lambdafs.coordinator;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.rpc.message.Message;
import java.util.List;

/**
 * INV: the cached items that an instance must drop before a write commits (PROTOCOL: W5, S3). Immutable.
 *
 * @param epoch of the leader, that is, the writing instance
 * @param scope what the write changes
 * @param prefixes subtrees to drop entirely, and whose operations in flight must end before the ACK
 */
public record Invalidation(long epoch, Scope scope, List<FsPath> prefixes) implements Message {
    public Invalidation {
        prefixes = List.copyOf(prefixes);
    }
}
