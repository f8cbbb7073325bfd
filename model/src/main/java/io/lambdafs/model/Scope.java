package io.lambdafs.model;

import java.util.List;

/**
 * The cached entries and listings that a change invalidates on all instances. Immutable.
 *
 * @param entries paths whose entry (and, of directories, link) changes
 * @param listings directories whose set of children, or a child's attributes in it, changes
 */
public record Scope(List<FsPath> entries, List<FsPath> listings) {
    public static final Scope NONE = new Scope(List.of(), List.of());

    public Scope {
        entries = List.copyOf(entries);
        listings = List.copyOf(listings);
    }

    /** Returns the scope of a change to a path: its entry and, except for the root, the listing that shows it. */
    public static Scope of(FsPath path) {
        return new Scope(List.of(path), path.isRoot() ? List.of() : List.of(path.parent()));
    }

    /** Returns the scope of a rename. */
    public static Scope of(FsPath source, FsPath destination) {
        return new Scope(List.of(source, destination), List.of(source.parent(), destination.parent()));
    }

    /** Returns the listings that change in ways the entries do not name: those of which no child is among these. */
    public List<FsPath> wholeListings() {
        return listings.stream()
                .filter(directory -> entries.stream().noneMatch(path -> path.isChildOf(directory)))
                .toList();
    }

    public boolean isEmpty() {
        return entries.isEmpty() && listings.isEmpty();
    }
}
