package io.lambdafs.hammer;

/** Names that an import makes in place of those of a local directory. Immutable; the same ones every time. */
public interface TreeNames {
    /** Takes names. */
    interface Sink {
        int TOP = -1;

        /**
         * Takes one.
         *
         * @param parent what was returned for its directory; {@link #TOP} for none
         * @param size bytes of a file
         * @return its number
         */
        int add(int parent, String name, boolean directory, long size);

        /** Whether it takes no more: what is told nevertheless is dropped. */
        boolean isFull();
    }

    /** Tells all names, each directory before what it holds. */
    void tell(Sink sink);

    /** For people. */
    String describe();
}
