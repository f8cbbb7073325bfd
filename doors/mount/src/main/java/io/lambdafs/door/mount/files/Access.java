package io.lambdafs.door.mount.files;

/** The access for which a file was opened. */
public record Access(boolean reads, boolean writes) {
    private static final int WRITE_ONLY = 1;
    private static final int READ_AND_WRITE = 2;
    private static final int WAYS = 3;

    /** Returns the access that {@code open}'s flags ask for. */
    public static Access of(int flags) {
        int way = flags & WAYS;
        return new Access(way != WRITE_ONLY, way == WRITE_ONLY || way == READ_AND_WRITE);
    }
}
