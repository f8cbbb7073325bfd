package io.lambdafs.functions.namenode;

/** The file that a writer knows by its id is not at the path where it made it. Never leaves the NameNode. */
final class IsElsewhere extends RuntimeException {
    private static final long serialVersionUID = 1L;

    IsElsewhere() {
        super("moved, or gone", null, false, false);
    }
}
