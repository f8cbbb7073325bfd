package io.lambdafs.benchmarks.memory;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.functions.cache.CacheLimits;
import io.lambdafs.functions.cache.PathTrie;
import java.util.ArrayList;
import java.util.List;

/** Measures the memory of a cache under no memory pressure. Confined to one thread. */
final class Footprints {
    private static final long ENOUGH = 1L << 40;

    private final LocalSample sample;
    private final Console console;

    Footprints(LocalSample sample, Console console) {
        this.sample = sample;
        this.console = console;
    }

    /**
     * The memory of INodes in one role.
     *
     * @param inodes cached INodes, each counted once
     * @param measured bytes by which the heap grew
     * @param accounted bytes in the cache's own account
     */
    record Footprint(Role role, long inodes, long measured, long accounted) {
        double bytesPerInode() {
            return (double) measured / inodes;
        }

        /** Returns the error of the account as a share of the measured bytes. */
        double error() {
            return (double) accounted / measured - 1;
        }
    }

    /** Returns the footprint of each role, with at least this many INodes. */
    List<Footprint> of(long inodes) {
        List<Footprint> all = new ArrayList<>();
        for (Role role : Role.values()) {
            console.progress("filling a cache with " + inodes + " INodes: " + role);
            all.add(of(role, inodes));
        }
        return all;
    }

    private Footprint of(Role role, long inodes) {
        long before = LiveHeap.bytes();
        PathTrie trie = new PathTrie(new CacheLimits(ENOUGH, CacheLimits.DEFAULT.invalidationLog()));
        trie.open();
        Filler filler = new Filler(sample, Filler.of(trie));
        long filled = 1;
        for (int copy = 0; filled < inodes; copy++) {
            filler.fill(copy, role);
            filled += filler.size(role);
        }
        long measured = LiveHeap.bytes() - before;
        if (trie.stats().refusedFills() + trie.stats().voidedFills() > 0) {
            throw new IllegalStateException("the cache did not take what is measured: " + trie.stats());
        }
        return new Footprint(role, filled, measured, trie.stats().bytes());
    }
}
