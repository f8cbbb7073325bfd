package io.lambdafs.functions.namenode;

import io.lambdafs.functions.cache.Child;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Reply;
import io.lambdafs.store.Mutation;
import java.util.List;

/**
 * What a write has decided under its locks. Immutable.
 *
 * @param mutations what the commit changes besides the request's slot
 * @param entries paths whose INode changes
 * @param listings directories whose set of children, or a child in it, changes
 * @param fills what the leader may cache after the commit
 * @param children all that changes in directories of {@code listings}
 */
public record Outcome(
        Reply reply,
        List<Mutation> mutations,
        List<FsPath> entries,
        List<FsPath> listings,
        List<Fill> fills,
        List<Child> children) {
    public Outcome {
        mutations = List.copyOf(mutations);
        entries = List.copyOf(entries);
        listings = List.copyOf(listings);
        fills = List.copyOf(fills);
        children = List.copyOf(children);
    }

    /** An answer that changes nothing. */
    public static Outcome unchanged(Reply reply) {
        return new Outcome(reply, List.of(), List.of(), List.of(), List.of(), List.of());
    }

    public Outcome withMutations(List<Mutation> more) {
        List<Mutation> all = new java.util.ArrayList<>(mutations);
        all.addAll(more);
        return new Outcome(reply, all, entries, listings, fills, children);
    }
}
