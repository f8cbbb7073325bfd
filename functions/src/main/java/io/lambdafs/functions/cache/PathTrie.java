package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.Scope;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An instance's metadata cache (the paper's §3.3; PROTOCOL: R1, R6, R7, R8, W4). A node of the trie holds an INode (the link of
 * a directory, the entry of a file, perhaps with its content), and of a directory perhaps its complete listing, which also gives
 * its children's INodes and says what does not exist. Bounded in bytes by {@link CacheLimits}; it begins closed, see {@link #open}.
 *
 * <p>Thread-safe. {@link #walk} and {@link #isCurrent} take no lock; changes take one mutex, never for longer than an increment of
 * eviction or the items named by one call take. An invalidation raises the version before it removes anything and again after.
 * A walk validated by a version from before the removal began has seen nothing but what was valid then; one validated
 * between the two may have seen what is being removed, but nothing newer, for what replaces it is not committed before the
 * invalidation has been acknowledged; so no valid walk pairs an old item with a new one.
 */
public final class PathTrie {
    /** Steps of eviction or reclaim for which the mutex is held at a time. */
    private static final int INCREMENT = 512;
    /** At most one in so many bytes is for what INodes share. */
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

    /** Whether anything may ever be cached here; if not, every walk finds nothing, and fills are left out. */
    public boolean caches() {
        return limits.maxBytes() > 0;
    }

    /** What is known along a path, in one version. Never blocks. */
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
                if (inode == null && listing.isComplete()) {
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
        Listing complete = listing != null && listing.isComplete() ? listing : null;
        return new Walk(version, nodes, nodes.length, false, content, complete);
    }

    /** Whether nothing has been invalidated or cleared since that version was read. */
    public boolean isCurrent(long readVersion) {
        return version == readVersion;
    }

    /** To be taken before the store is read for a fill. Never blocks. */
    public Ticket ticket() {
        // The generation first: a clear in between makes the ticket void rather than valid for too much.
        long taken = generation;
        return new Ticket(taken, log.count());
    }

    /** A later ticket of the same generation as an earlier one: void too if the cache was cleared since then. Never blocks. */
    public Ticket ticket(Ticket earlier) {
        return new Ticket(earlier.generation(), log.count());
    }

    /**
     * Caches what has been read since the ticket was taken. In any order; what hangs on an INode that is neither cached nor among
     * the fills, is flagged, or does not fit the memory, is left out silently.
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
            if (held.covers(fill) || log.voids(ticket.logged(), fill)) {
                voided++;
                allValid = false;
            } else if (!hasRoomFor(fill) || !trie.store(fill)) {
                refused++;
            }
        }
        return allValid;
    }

    /** What is to be filled, parents first; nothing where nothing is cached. */
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
        return byDepth != 0 ? byDepth : Boolean.compare(a instanceof Fill.Children, b instanceof Fill.Children);
    }

    /** Evicts until the fills have room, in increments between which others get the mutex, and within a bound. */
    private void makeRoom(List<Fill> fills) {
        if (fills.isEmpty()) {
            return;
        }
        long need = 0;
        long own = 0;
        synchronized (mutex) {
            if (trie.bytes() <= limits.maxBytes() / 2) {
                return; // No more than the other half is ever made room for.
            }
            for (Fill fill : fills) {
                need += trie.need(fill);
                own += Footprint.of(fill);
            }
        }
        need = Math.min(need, limits.maxBytes() / 2);
        // Room for a directory's larger table is made by several fills, which are refused until there is enough.
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
     * Drops what is about to change, and voids the fills under way that cover it. Done when it returns; what is below a prefix is
     * out of reach then, and its memory is reclaimed in increments by later calls.
     *
     * @param scope entries are dropped with their content, and listings that show one of them are complete no more
     * @param prefixes subtrees of which everything goes; the listing that shows their root is complete no more
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
            for (FsPath path : scope.listings()) {
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
     * Drops what is about to change, as {@link #invalidate} does, and lets nothing be filled there until {@link #release}: for a change
     * that happens at a moment which this instance does not choose.
     *
     * @param scope in which each entry's directory is among the listings
     * @param earlier a ticket of the execution
     */
    public Hold hold(Scope scope, Ticket earlier) {
        synchronized (mutex) {
            List<Fill.Children> before = completeListings(scope.listings());
            invalidate(scope, List.of());
            held.hold(scope);
            return new Hold(ticket(earlier), before);
        }
    }

    private List<Fill.Children> completeListings(List<FsPath> directories) {
        List<Fill.Children> complete = new ArrayList<>(directories.size());
        // A rename within one directory names it twice.
        for (FsPath directory : new LinkedHashSet<>(directories)) {
            Listing listing = walk(directory).listing();
            if (listing != null && listing.isSmall()) {
                complete.add(new Fill.Children(directory, listing));
            }
        }
        return complete;
    }

    /**
     * Ends a {@link #hold} of the same scope, and voids what has been read meanwhile. What it left incomplete is complete again, with the
     * change in it, where nobody else changes, or has changed, the same directory since: then nothing but this change has come to it.
     *
     * @param change its fills are not cached where anybody else changes, or has changed, the same paths
     * @param done whether it has happened; otherwise it has not, or nobody knows
     */
    public void release(CacheChange change, Hold hold, boolean done) {
        List<Fill> all = new ArrayList<>();
        if (done) {
            all.addAll(change.fills());
            all.addAll(hold.after(change.children()));
        }
        List<Fill> ordered = inOrder(all);
        makeRoom(ordered);
        synchronized (mutex) {
            held.release(change.scope());
            store(hold.ticket(), ordered);
            log.add(change.scope(), List.of());
            log.done();
        }
    }

    /** Lets fills be published again: a new epoch has joined. Tickets taken before are void. */
    public void open() {
        synchronized (mutex) {
            generation = generation + 1;
            open = caches();
        }
    }

    /** Everything goes, every ticket is void, and nothing is published until {@link #open}. */
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
