package io.lambdafs.functions.cache;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of {@link PathTrie#hold}, needed for {@link PathTrie#release}. Immutable.
 *
 * @param ticket for the change's own fills
 * @param before complete listings that the change makes incomplete
 */
public record Hold(Ticket ticket, List<Fill.Children> before) {
    /** Returns the listings after the change, without those unaffected. */
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
