package io.lambdafs.door.mount.wire;

/** Abilities that the kernel offers and a mount chooses, when it begins. */
public final class InitFlags {
    public static final int ASYNC_READ = 1;
    /** {@code O_TRUNC} comes with the open, not as a truncate before it. */
    public static final int ATOMIC_O_TRUNC = 1 << 3;

    public static final int BIG_WRITES = 1 << 5;
    /** Modes come without the umask applied, and the umask beside them. */
    public static final int DONT_MASK = 1 << 6;
    /** Cached contents go when attributes show that the file has changed. */
    public static final int AUTO_INVAL_DATA = 1 << 12;

    public static final int DO_READDIRPLUS = 1 << 13;
    public static final int READDIRPLUS_AUTO = 1 << 14;
    public static final int PARALLEL_DIROPS = 1 << 18;
    public static final int MAX_PAGES = 1 << 22;

    private InitFlags() {}
}
