package io.lambdafs.functions.cache;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@link PathTrie#hold} gives for {@link PathTrie#release}. Immutable.
 *
 * @param ticket of what the change makes
 * @param before complete listings that the change leaves incomplete
 */
public record Hold(Ticket ticket, List<Fill.Children> before) {
    /** Its listings after the change; those that it says nothing of are left out. */
    List<Fill> after(List<Child> children) {
        List<Fill> after = new ArrayList<>(before.size());
        for (Fill.Children directory : before) {
            Listing listing = directory.listing();
            for (Child child : children) {
                if (child.path().isChildOf(directory.path())) {
                    listing = listing.with(child.path().name(), child.node());
                }
            }
            if (listing != directory.listing()) {
                after.add(new Fill.Children(directory.path(), listing));
            }
        }
        return after;
    }
}
