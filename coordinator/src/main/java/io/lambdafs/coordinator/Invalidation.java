package io.lambdafs.coordinator;

import io.lambdafs.model.FsPath;
import io.lambdafs.rpc.Message;
import java.util.List;

/**
 * INV: what an instance must drop before a write commits (PROTOCOL: W5, S3). Immutable.
 *
 * @param epoch of the leader, the instance that writes
 * @param entries paths whose entry (and, of directories, link) changes
 * @param listings directories whose set of children, or a child's attributes in it, changes
 * @param prefixes subtrees of which everything goes, and in which operations under way must end before the ACK
 */
public record Invalidation(long epoch, List<FsPath> entries, List<FsPath> listings, List<FsPath> prefixes)
        implements Message {
    public Invalidation {
        entries = List.copyOf(entries);
        listings = List.copyOf(listings);
        prefixes = List.copyOf(prefixes);
    }

    /** Only what operations under way may have to end for has to wait. */
    @Override
    public boolean isAnsweredAtOnce() {
        return prefixes.isEmpty();
    }
}
