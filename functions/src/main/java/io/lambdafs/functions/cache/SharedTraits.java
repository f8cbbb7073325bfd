package io.lambdafs.functions.cache;

import io.lambdafs.model.inode.INode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The traits shared by a trie's INodes, numbered from 0 in order of arrival. They stay until the whole trie is cleared,
 * so a number found in a row remains valid; their memory is limited. Changed under the trie's mutex only; {@link #all}
 * is safe for any thread.
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

    /** Returns all traits by number; call it after reading the number. */
    INode.Traits[] all() {
        return all;
    }

    /** Returns the number of equal traits, adding them if new; -1 if there is no room. */
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

    /** Returns equal traits, shared if there is room. */
    INode.Traits share(INode.Traits traits) {
        int number = number(traits);
        return number < 0 ? traits : all[number];
    }

    /** Returns the estimated memory in bytes. */
    long bytes() {
        return bytes;
    }
}
