package io.lambdafs.functions.cache;

import io.lambdafs.model.Utf8Order;
import io.lambdafs.model.inode.INode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A directory's children in UTF-8 byte order of their names: all of them, or after a change of the set, those still
 * valid. Stored as bytes ({@link INodeEncoding}); INodes are created on access. Immutable.
 */
public final class Listing {
    /** A listing with more kinds of traits does not share them, because sharing holds the mutex. */
    private static final int MAX_SHARED = 64;
    /** A listing with more children is reread after a change instead of being copied. */
    private static final int MAX_CHANGED = 1_024;

    private static final byte[] NONE = new byte[0];

    private final byte[] packed;
    /** Start offset of each child. */
    private final int[] starts;

    private final INode.Traits[] traits;
    private final long parentId;
    /** Memory of unshared traits. */
    private final long traitBytes;

    private final boolean publishable;
    private final boolean complete;

    private Listing(Listing of, INode.Traits[] traits, long traitBytes) {
        this.packed = of.packed;
        this.starts = of.starts;
        this.traits = traits;
        this.parentId = of.parentId;
        this.traitBytes = traitBytes;
        this.publishable = of.publishable;
        this.complete = of.complete;
    }

    /** The remainder of a formerly complete listing. */
    private Listing(Listing of) {
        this.packed = of.packed;
        this.starts = of.starts;
        this.traits = of.traits;
        this.parentId = of.parentId;
        this.traitBytes = of.traitBytes;
        this.publishable = false;
        this.complete = false;
    }

    /** The listing after a change of one child. */
    private Listing(Listing of, @Nullable INode child, byte[] packed, int[] starts, INode.Traits[] traits) {
        this.packed = packed;
        this.starts = starts;
        this.traits = traits;
        this.parentId = of.starts.length == 0 && child != null ? child.parentId() : of.parentId;
        this.traitBytes = of.traitBytes;
        this.publishable = of.publishable && (child == null || (!child.isFlagged() && child.parentId() == parentId));
        this.complete = of.complete;
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
        publishable = sound;
        complete = true;
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

    /** Returns whether it contains every child: only then can it answer a listing or prove a name absent. */
    public boolean isComplete() {
        return complete;
    }

    /** Returns what remains valid when children are added, or unknown ones removed. */
    Listing incomplete() {
        return complete ? new Listing(this) : this;
    }

    /** Returns what remains valid when this child changes or is removed. */
    Listing without(String name) {
        return with(name, null).incomplete();
    }

    /** Returns whether {@link #with} is cheap. */
    boolean isSmall() {
        return starts.length <= MAX_CHANGED && traits.length < MAX_SHARED;
    }

    /**
     * Returns the listing after a change of one child, with completeness preserved.
     *
     * @param node the new child of that name; null if removed
     */
    Listing with(String name, @Nullable INode node) {
        int found = search(name);
        boolean there = found >= 0;
        if (!there && node == null) {
            return this;
        }
        int at = there ? found : -found - 1;
        int from = at < starts.length ? starts[at] : packed.length;
        int to = !there ? from : at + 1 < starts.length ? starts[at + 1] : packed.length;
        INode.Traits[] known = node == null ? traits : including(node.traits());
        byte[] child = node == null
                ? NONE
                : INodeEncoding.of(node, Arrays.asList(known).indexOf(node.traits()));
        byte[] bytes = new byte[packed.length - (to - from) + child.length];
        System.arraycopy(packed, 0, bytes, 0, from);
        System.arraycopy(child, 0, bytes, from, child.length);
        System.arraycopy(packed, to, bytes, from + child.length, packed.length - to);
        int removed = there ? 1 : 0;
        int added = node == null ? 0 : 1;
        int[] places = new int[starts.length - removed + added];
        System.arraycopy(starts, 0, places, 0, at);
        if (node != null) {
            places[at] = from;
        }
        for (int i = at + added; i < places.length; i++) {
            places[i] = starts[i - added + removed] - (to - from) + child.length;
        }
        return new Listing(this, node, bytes, places, known);
    }

    private INode.Traits[] including(INode.Traits more) {
        if (Arrays.asList(traits).contains(more)) {
            return traits;
        }
        INode.Traits[] all = Arrays.copyOf(traits, traits.length + 1);
        all[traits.length] = more;
        return all;
    }

    public int size() {
        return starts.length;
    }

    /** Returns the i-th child, 0-based. */
    public INode get(int i) {
        return INodeEncoding.at(packed, starts[i], parentId, traits);
    }

    /** Returns the index of the first child whose name follows the given one; {@link #size()} if there is none. */
    public int indexAfter(String name) {
        int at = search(name);
        return at >= 0 ? at + 1 : -at - 1;
    }

    public @Nullable INode find(String name) {
        int at = search(name);
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
        return Footprint.listing(packed.length, starts.length, traits.length) + traitBytes;
    }

    /**
     * Returns whether it may be cached as a directory's children: no flagged child, no duplicate name, all with that
     * parent.
     */
    boolean isPublishableUnder(long directoryId) {
        return publishable && (starts.length == 0 || parentId == directoryId);
    }
}
