package io.lambdafs.functions.cache;

import io.lambdafs.model.INode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The traits that INodes of a trie share, numbered from 0 as they came. None is dropped before the whole trie is cleared, so that a number
 * stays good for whoever comes across it; there is a limit to their memory. Changed under the trie's mutex only; {@link #all} may be called by anyone.
 */
final class SharedTraits {
    private static final int MAX = 1 << 16;
    private static final INode.Traits NONE = new INode.Traits(INode.Kind.FILE, "", "", 0, 0, 0, INode.Content.NONE);

    private final Map<INode.Traits, Integer> numbers = new HashMap<>();
    private final long maxBytes;
    private volatile INode.Traits[] all = {};
    private long bytes;

    SharedTraits(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** By number; to be asked for after the number has been come across. */
    INode.Traits[] all() {
        return all;
    }

    /** The number of equal traits; -1 where there are none and no room for more. */
    int number(INode.Traits traits) {
        Integer known = numbers.get(traits);
        if (known != null) {
            return known;
        }
        int next = numbers.size();
        long more = Footprint.shared(traits);
        if (next == MAX || bytes + more > maxBytes) {
            return -1;
        }
        if (next == all.length) {
            INode.Traits[] longer = Arrays.copyOf(all, Math.max(4, next * 2));
            Arrays.fill(longer, next, longer.length, NONE);
            all = longer;
        }
        all[next] = traits;
        numbers.put(traits, next);
        bytes += more;
        return next;
    }

    /** Equal traits, which others have too where there is room. */
    INode.Traits share(INode.Traits traits) {
        int number = number(traits);
        return number < 0 ? traits : all[number];
    }

    /** Memory, estimated. */
    long bytes() {
        return bytes;
    }
}
