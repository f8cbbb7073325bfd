package io.lambdafs.benchmarks.memory;

/** The parts of a namespace that are cached. */
enum Role {
    /** Directories only, as any instance caches them when resolving paths. */
    LINKS,
    /** Files one by one, with the directories above them. */
    ENTRIES,
    /** Directories with their listings. */
    LISTINGS,
    /** Files one by one and listings: every file twice. */
    BOTH;

    boolean hasEntries() {
        return this == ENTRIES || this == BOTH;
    }

    boolean hasListings() {
        return this == LISTINGS || this == BOTH;
    }
}
