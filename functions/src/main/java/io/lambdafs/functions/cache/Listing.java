package io.lambdafs.functions.cache;

import io.lambdafs.model.Utf8Order;
import io.lambdafs.model.inode.INode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A directory's children in UTF-8 byte order of their names, but for {@linkplain #unknown names of which it no longer
 * knows anything}; all of them, or once their set changed in an unknown way, those still valid. Stored as bytes ({@link
 * INodeEncoding}); INodes are created on access. Immutable.
 */
public final class Listing {
    /** A listing with more kinds of traits does not share them, because sharing holds the mutex. */
    private static final int MAX_SHARED = 64;
    /** A listing with more unknown names, or with these and a quarter of its children, is reread. */
    private static final int MAX_UNKNOWN = 256;

    private static final int SOME_UNKNOWN = 16;

    private static final String[] NO_NAMES = new String[0];

    private final byte[] packed;
    /** Start offset of each child. */
    private final int[] starts;

    private final INode.Traits[] traits;
    private final long parentId;
    /** Memory of unshared traits. */
    private final long traitBytes;
    /** Names that have changed, or may have, since they were read; in the order of strings. */
    private final String[] unknown;

    private final boolean publishable;
    private final boolean whole;

    private Listing(Listing of, INode.Traits[] traits, long traitBytes) {
        this.packed = of.packed;
        this.starts = of.starts;
        this.traits = traits;
        this.parentId = of.parentId;
        this.traitBytes = traitBytes;
        this.unknown = of.unknown;
        this.publishable = of.publishable;
        this.whole = of.whole;
    }

    private Listing(Listing of, String[] unknown, boolean whole) {
        this.packed = of.packed;
        this.starts = of.starts;
        this.traits = of.traits;
        this.parentId = of.parentId;
        this.traitBytes = of.traitBytes;
        this.unknown = unknown;
        this.publishable = of.publishable;
        this.whole = whole;
    }

    /** The listing after changes of its children. */
    private Listing(Listing of, ListingMerge merged, String[] unknown) {
        this.packed = merged.packed();
        this.starts = merged.starts();
        this.traits = merged.traits();
        this.parentId = of.starts.length == 0 ? merged.parentId() : of.parentId;
        this.traitBytes = of.traitBytes;
        this.unknown = unknown;
        this.publishable = of.publishable && merged.isSoundUnder(parentId);
        this.whole = of.whole;
    }

    private Listing(List<INode> sorted) {
        Map<INode.Traits, Integer> numbers = new HashMap<>();
        List<INode.Traits> distinct = new ArrayList<>();
        byte[][] parts = new byte[sorted.size()][];
        starts = new int[parts.length];
        parentId = parts.length == 0 ? 0 : sorted.get(0).parentId();
        boolean sound = true;
        int length = 0;
        for (int i = 0; i < parts.length; i++) {
            INode node = sorted.get(i);
            if (node.parentId() != parentId) {
                throw new IllegalArgumentException("children of " + parentId + " and of " + node.parentId());
            }
            Integer number = numbers.get(node.traits());
            if (number == null) {
                number = distinct.size();
                numbers.put(node.traits(), number);
                distinct.add(node.traits());
            }
            parts[i] = INodeEncoding.of(node, number);
            starts[i] = length;
            length = Math.addExact(length, parts[i].length);
            sound &= !node.isFlagged();
            sound &= i == 0 || Utf8Order.compare(sorted.get(i - 1).name(), node.name()) < 0;
        }
        packed = new byte[length];
        for (int i = 0; i < parts.length; i++) {
            System.arraycopy(parts[i], 0, packed, starts[i], parts[i].length);
        }
        traits = distinct.toArray(INode.Traits[]::new);
        traitBytes = distinct.stream().mapToLong(Footprint::traits).sum();
        unknown = NO_NAMES;
        publishable = sound;
        whole = true;
    }

    /**
     * A complete listing.
     *
     * @param children in any order
     * @throws IllegalArgumentException if they are not all of one directory
     */
    public static Listing of(List<INode> children) {
        for (int i = 1; i < children.size(); i++) {
            if (Utf8Order.compare(children.get(i - 1).name(), children.get(i).name()) > 0) {
                List<INode> sorted = new ArrayList<>(children);
                sorted.sort((a, b) -> Utf8Order.compare(a.name(), b.name()));
                return new Listing(sorted);
            }
        }
        return new Listing(children);
    }

    /** Returns the listing with shared traits, unless there are too many. */
    Listing sharing(SharedTraits shared) {
        if (traits.length > MAX_SHARED) {
            return this;
        }
        INode.Traits[] common = new INode.Traits[traits.length];
        long own = 0;
        for (int i = 0; i < common.length; i++) {
            int number = shared.number(traits[i]);
            common[i] = number < 0 ? traits[i] : shared.all()[number];
            own += number < 0 ? Footprint.traits(traits[i]) : 0;
        }
        return new Listing(this, common, own);
    }

    /** Returns whether it contains every child: only then can it answer a listing. */
    public boolean isComplete() {
        return whole && unknown.length == 0;
    }

    /** Returns whether it contains every child but for {@link #unknown}, and lacks no other name. */
    public boolean isCompleteButForNames() {
        return whole;
    }

    /** Returns the names of which it says nothing: neither that they are there, nor that they are not. */
    public List<String> unknown() {
        return List.of(unknown);
    }

    private boolean knows(String name) {
        return unknown.length == 0 || Arrays.binarySearch(unknown, name) < 0;
    }

    /** Returns whether it proves that no child has this name. */
    boolean lacks(String name) {
        return whole && knows(name) && search(name) < 0;
    }

    /** Returns what remains valid when any child may have been added. */
    Listing incomplete() {
        return whole ? new Listing(this, unknown, false) : this;
    }

    /**
     * Returns what remains valid when children of these names are added, changed or removed; null if too little does.
     */
    public @Nullable Listing without(Collection<String> names) {
        List<String> more = names.stream()
                .distinct()
                .filter(name -> knows(name) && (whole || search(name) >= 0))
                .toList();
        if (more.isEmpty()) {
            return this;
        }
        String[] all = Arrays.copyOf(unknown, unknown.length + more.size());
        for (int i = 0; i < more.size(); i++) {
            all[unknown.length + i] = more.get(i);
        }
        Arrays.sort(all);
        return all.length > Math.min(MAX_UNKNOWN, SOME_UNKNOWN + starts.length / 4)
                ? rest(Arrays.asList(all))
                : new Listing(this, all, whole);
    }

    /** Returns the known children alone, no longer complete. */
    private @Nullable Listing rest(Collection<String> lost) {
        Map<String, @Nullable INode> gone = new HashMap<>();
        lost.forEach(name -> gone.put(name, null));
        Listing rest = with(gone);
        return rest == null || rest.size() == 0 ? null : rest.incomplete();
    }

    /**
     * Returns the listing with what is known of some names now, and with everything else as it was.
     *
     * @param names the child of each name; null if there is none
     * @return null if its children have become too different: it is reread then
     */
    public @Nullable Listing with(Map<String, @Nullable INode> names) {
        ListingMerge merged = new ListingMerge(packed, starts, traits);
        List<String> sorted = new ArrayList<>(names.keySet());
        sorted.sort(Utf8Order::compare);
        for (String name : sorted) {
            merged.change(search(name), names.get(name));
        }
        merged.end();
        String[] left =
                Arrays.stream(unknown).filter(name -> !names.containsKey(name)).toArray(String[]::new);
        return merged.traits().length > Math.max(MAX_SHARED, traits.length) ? null : new Listing(this, merged, left);
    }

    public int size() {
        return starts.length;
    }

    /** Returns the i-th child, 0-based, of a complete listing. */
    public INode get(int i) {
        return INodeEncoding.at(packed, starts[i], parentId, traits);
    }

    /** Returns the index of the first child whose name follows the given one; {@link #size()} if there is none. */
    public int indexAfter(String name) {
        int at = search(name);
        return at >= 0 ? at + 1 : -at - 1;
    }

    public @Nullable INode find(String name) {
        int at = knows(name) ? search(name) : -1;
        return at >= 0 ? INodeEncoding.at(packed, starts[at], parentId, name, traits) : null;
    }

    /** Returns the index of a name, or a negative value as {@link Arrays#binarySearch} does. */
    private int search(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        int low = 0;
        int high = starts.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = INodeEncoding.compareName(packed, starts[middle], utf8);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    /** Returns the estimated memory in bytes. */
    long bytes() {
        return Footprint.listing(packed.length, starts.length, traits.length) + Footprint.names(unknown) + traitBytes;
    }

    /**
     * Returns whether it may be cached as a directory's children: no flagged child, no duplicate name, all with that
     * parent.
     */
    boolean isPublishableUnder(long directoryId) {
        return publishable && (starts.length == 0 || parentId == directoryId);
    }
}
