package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.INode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An instance's metadata cache (the paper's §3.3; PROTOCOL: R1, R6, R7, R8, W4): a trie of path components. A node
 * holds an INode (a directory's link, or a file's entry with optional content); a directory's node may also hold its
 * complete listing, which supplies its children's INodes and proves names absent, but for names that have changed since. Bounded in bytes by {@link
 * CacheLimits}; initially closed, see {@link #open}.
 *
 * <p>Thread-safe. {@link #walk} and {@link #isCurrent} are lock-free; changes take one mutex, held at most for one
 * increment of eviction or for the items of one call. An invalidation raises the version before it removes anything and
 * again afterwards. A walk validated against a version from before the removal has seen only items valid then. One
 * validated between the two may have seen items being removed, but nothing newer, because replacements commit only
 * after the invalidation is acknowledged. So no valid walk pairs an old item with a new one.
 */
public final class PathTrie {
    /** Steps of eviction or reclaim per acquisition of the mutex. */
    private static final int INCREMENT = 512;
    /** At most one in this many bytes is used for shared traits. */
    private static final int TRAITS_PART = 16;

    private final Object mutex = new Object();
    private final CacheLimits limits;
    private final InvalidationLog log;
    private final Trie trie;
    private final Clock clock;
    private final HeldPaths held = new HeldPaths();
    private boolean open;
    private long invalidated;
    private long voided;
    private long refused;

    private volatile long version;
    private volatile long generation;

    public PathTrie(CacheLimits limits) {
        this.limits = limits;
        this.log = new InvalidationLog(limits.invalidationLog());
        this.trie = new Trie(limits.maxBytes() / TRAITS_PART);
        this.clock = trie.clock();
    }

    /** Returns whether anything may ever be cached here; if not, every walk misses and fills are ignored. */
    public boolean caches() {
        return limits.maxBytes() > 0;
    }

    /** Walks a path in one version and returns the INodes found. Never blocks. */
    public Walk walk(FsPath path) {
        long now = version;
        int depth = path.depth();
        INode[] nodes = new INode[depth + 1];
        int known = 0;
        Trie.Tree tree = trie.tree();
        TrieNode at = tree.root();
        INode inode = at.inode();
        while (inode != null) {
            nodes[known++] = inode;
            if (at != null) {
                at.touch();
            }
            Children below = at == null ? null : at.belowOf(inode);
            Listing listing = below == null ? null : below.listing();
            if (known > depth) {
                return found(now, nodes, at, listing, below);
            }
            if (below == null || !inode.isDirectory()) {
                break;
            }
            String name = path.name(known - 1);
            Object child = below.child(name);
            at = child instanceof TrieNode node ? node : null;
            inode = at == null ? null : at.inode();
            if (child instanceof byte[] row) {
                inode = tree.touch(row, below, name);
            }
            if (inode == null && listing != null) {
                below.touchListing();
                inode = listing.find(name);
                if (inode == null && listing.lacks(name)) {
                    return new Walk(now, nodes, known, true, null, null);
                }
            }
        }
        return new Walk(now, nodes, known, false, null, null);
    }

    private static Walk found(
            long version, INode[] nodes, @Nullable TrieNode last, @Nullable Listing listing, @Nullable Children below) {
        if (listing != null && below != null) {
            below.touchListing();
        }
        byte[] content = last == null || last.inode() == null ? null : last.content();
        return new Walk(version, nodes, nodes.length, false, content, listing);
    }

    /** Returns whether nothing has been invalidated or cleared since that version was read. */
    public boolean isCurrent(long readVersion) {
        return version == readVersion;
    }

    /** Takes a ticket, needed before reading the store for a fill. Never blocks. */
    public Ticket ticket() {
        // Reads the generation first: a clear in between then voids the ticket instead of extending it.
        long taken = generation;
        return new Ticket(taken, log.count());
    }

    /**
     * Takes a new ticket with the generation of an earlier one, so that it is void too if the cache was cleared since.
     * Never blocks.
     */
    public Ticket ticket(Ticket earlier) {
        return new Ticket(earlier.generation(), log.count());
    }

    /**
     * Publishes items read since the ticket was taken, in any order. Of a listing, names invalidated since are left
     * out. Items are silently skipped if their parent is neither cached nor among the fills, if they are flagged, or if
     * they do not fit in memory.
     *
     * @return false if at least one fill is void: invalidated since the ticket, or the cache was cleared or is closed
     */
    public boolean publish(Ticket ticket, List<Fill> fills) {
        List<Fill> ordered = inOrder(fills);
        makeRoom(ordered);
        synchronized (mutex) {
            return store(ticket, ordered);
        }
    }

    private boolean store(Ticket ticket, List<Fill> ordered) {
        if (!open || ticket.generation() != generation) {
            voided += ordered.size();
            return false;
        }
        boolean allValid = true;
        for (Fill fill : ordered) {
            Fill valid = held.covers(fill) || log.voids(ticket.logged(), fill) ? null : valid(ticket, fill);
            if (valid == null) {
                voided++;
                allValid = false;
            } else if (!hasRoomFor(valid) || !trie.store(valid)) {
                refused++;
            }
        }
        return allValid;
    }

    /** Returns a fill without the names that are held or were invalidated since the ticket; null if too little is left. */
    private @Nullable Fill valid(Ticket ticket, Fill fill) {
        if (fill instanceof Fill.Children children) {
            Listing known = children.listing().without(touched(ticket, children.path()));
            return known == null ? null : new Fill.Children(children.path(), known);
        }
        return fill instanceof Fill.Names names ? names.without(touched(ticket, names.path())) : fill;
    }

    private Set<String> touched(Ticket ticket, FsPath directory) {
        Set<String> names = new HashSet<>();
        held.names(directory, names);
        log.names(ticket.logged(), directory, names);
        return names;
    }

    /**
     * Returns whether nothing of a directory's listing has been invalidated since the ticket was taken, and the cache
     * has not been cleared: what was known then is valid still.
     */
    public boolean isUntouched(Ticket ticket, FsPath directory) {
        synchronized (mutex) {
            return ticket.generation() == generation
                    && !log.voids(ticket.logged(), new Fill.Names(directory, Map.of()))
                    && !log.touches(ticket.logged(), directory);
        }
    }

    /** Returns the fills with parents first; empty if nothing may be cached. */
    private List<Fill> inOrder(List<Fill> fills) {
        if (!caches()) {
            return List.of();
        }
        if (fills.size() < 2) {
            return fills;
        }
        List<Fill> ordered = new ArrayList<>(fills);
        ordered.sort(PathTrie::parentsFirst);
        return ordered;
    }

    private static int parentsFirst(Fill a, Fill b) {
        int byDepth = Integer.compare(a.path().depth(), b.path().depth());
        return byDepth != 0 ? byDepth : Boolean.compare(a.isOfListing(), b.isOfListing());
    }

    /** Evicts until the fills fit, in bounded increments that release the mutex in between. */
    private void makeRoom(List<Fill> fills) {
        if (fills.isEmpty()) {
            return;
        }
        long need = 0;
        long own = 0;
        synchronized (mutex) {
            if (trie.bytes() <= limits.maxBytes() / 2) {
                return; // Evicts at most half of the cache.
            }
            for (Fill fill : fills) {
                need += trie.need(fill);
                own += Footprint.of(fill);
            }
        }
        need = Math.min(need, limits.maxBytes() / 2);
        // Space for a larger table accumulates over several fills, which are refused until it suffices.
        for (long budget = 4 * INCREMENT + Math.min(own, need) / 16; budget > 0; budget -= INCREMENT) {
            synchronized (mutex) {
                for (int i = 0; i < INCREMENT; i++) {
                    if (trie.bytes() + need <= limits.maxBytes()) {
                        return;
                    }
                    clock.step();
                }
            }
        }
    }

    private boolean hasRoomFor(Fill fill) {
        return Footprint.of(fill) <= limits.maxBytes() / 4 && trie.bytes() + trie.need(fill) <= limits.maxBytes();
    }

    /**
     * Invalidates items that are about to change, and voids fills under way that cover them. Complete on return: items
     * below a prefix are then unreachable, and later calls reclaim their memory incrementally.
     *
     * @param scope entries are dropped with their content, and the listings that contain them no longer know their
     *     names; a listing of which no child is named becomes incomplete
     * @param prefixes subtrees to drop entirely; the listing that contains their root no longer knows its name
     */
    public void invalidate(Scope scope, List<FsPath> prefixes) {
        if (scope.isEmpty() && prefixes.isEmpty()) {
            return;
        }
        synchronized (mutex) {
            version = version + 1;
            log.add(scope, prefixes);
            for (FsPath path : scope.entries()) {
                trie.removeEntry(path);
            }
            for (FsPath path : scope.wholeListings()) {
                trie.removeListing(path);
            }
            for (FsPath path : prefixes) {
                trie.removeSubtree(path);
            }
            invalidated += (long) scope.entries().size() + scope.listings().size() + prefixes.size();
            for (int i = 0; i < INCREMENT && clock.hasCutOff(); i++) {
                clock.step();
            }
            log.done();
            version = version + 1;
        }
    }

    /**
     * Invalidates items that are about to change, as {@link #invalidate} does, and blocks fills there until {@link
     * #release}: for a commit whose exact moment this instance does not choose.
     *
     * @param earlier a ticket of the execution
     * @return the ticket for {@link #release}
     */
    public Ticket hold(Scope scope, Ticket earlier) {
        synchronized (mutex) {
            invalidate(scope, List.of());
            held.hold(scope);
            return ticket(earlier);
        }
    }

    /**
     * Ends a {@link #hold} of the same scope and voids fills read meanwhile. Listings that it made forget the changed
     * names know them again.
     *
     * @param change its fills, and what it made of names, are not cached if another change affects, or has affected,
     *     the same paths
     * @param done whether the change was committed; false if not, or if unknown
     */
    public void release(CacheChange change, Ticket ticket, boolean done) {
        List<Fill> all = new ArrayList<>();
        if (done) {
            all.addAll(change.fills());
            // A rename within one directory lists it twice.
            new LinkedHashSet<>(change.scope().listings())
                    .forEach(directory -> all.add(Fill.Names.of(directory, change.children())));
        }
        List<Fill> ordered = inOrder(all);
        makeRoom(ordered);
        synchronized (mutex) {
            held.release(change.scope());
            store(ticket, ordered);
            log.add(change.scope(), List.of());
            log.done();
        }
    }

    /** Opens the cache to fills after a new epoch has joined. Earlier tickets are void. */
    public void open() {
        synchronized (mutex) {
            generation = generation + 1;
            open = caches();
        }
    }

    /** Drops everything, voids every ticket, and closes the cache until {@link #open}. */
    public void clear() {
        synchronized (mutex) {
            version = version + 1;
            generation = generation + 1;
            open = false;
            trie.clear();
            version = version + 1;
        }
    }

    public CacheStats stats() {
        synchronized (mutex) {
            return new CacheStats(
                    trie.bytes(),
                    clock.inodes(),
                    clock.contents(),
                    clock.listings(),
                    clock.evictions(),
                    invalidated,
                    voided,
                    refused);
        }
    }
}
