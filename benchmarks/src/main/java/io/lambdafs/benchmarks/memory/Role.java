package io.lambdafs.benchmarks.memory;

/** What is cached of each INode of a namespace. */
enum Role {
    /** Directories only, as any instance caches them on its way. */
    LINKS,
    /** Files one by one, and the directories above them. */
    ENTRIES,
    /** Each directory with its listing. */
    LISTINGS,
    /** Every file twice. */
    BOTH;

    boolean hasEntries() {
        return this == ENTRIES || this == BOTH;
    }

    boolean hasListings() {
        return this == LISTINGS || this == BOTH;
    }
}
