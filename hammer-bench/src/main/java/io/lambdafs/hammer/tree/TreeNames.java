package io.lambdafs.hammer.tree;

/** Names that an import creates instead of those of a local directory. Immutable; always the same names. */
public interface TreeNames {
    /** Receives names. */
    interface Sink {
        int TOP = -1;

        /**
         * Receives a name.
         *
         * @param parent number of its directory; {@link #TOP} for none
         * @param size bytes of a file
         * @return its number
         */
        int add(int parent, String name, boolean directory, long size);

        /** Returns whether it is full: it drops further names. */
        boolean isFull();
    }

    /** Passes on all names, each directory before its children. */
    void tell(Sink sink);

    /** Describes the names for people. */
    String describe();
}
