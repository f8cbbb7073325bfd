package io.lambdafs.door.mount.wire;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The attributes that a request sets. Immutable.
 *
 * @param handle of an open file, if it came by one
 * @param mtimeMillis -1 to leave it
 * @param atimeMillis -1 to leave it
 */
public record SetAttributes(
        OptionalLong handle,
        OptionalLong size,
        OptionalInt mode,
        OptionalInt uid,
        OptionalInt gid,
        long mtimeMillis,
        long atimeMillis) {
    private static final int MODE = 1;
    private static final int UID = 1 << 1;
    private static final int GID = 1 << 2;
    private static final int SIZE = 1 << 3;
    private static final int ATIME = 1 << 4;
    private static final int MTIME = 1 << 5;
    private static final int HANDLE = 1 << 6;
    private static final int ATIME_NOW = 1 << 7;
    private static final int MTIME_NOW = 1 << 8;

    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final long MILLIS_PER_SECOND = 1_000;

    /** Reads the body of a request. */
    public static SetAttributes read(Request in) {
        int valid = in.int32();
        in.skip(Integer.BYTES);
        long handle = in.int64();
        long size = in.int64();
        in.skip(Long.BYTES);
        long atime = in.int64();
        long mtime = in.int64();
        in.skip(Long.BYTES);
        int atimeNanos = in.int32();
        int mtimeNanos = in.int32();
        in.skip(Integer.BYTES);
        int mode = in.int32();
        in.skip(Integer.BYTES);
        int uid = in.int32();
        int gid = in.int32();
        return new SetAttributes(
                (valid & HANDLE) == 0 ? OptionalLong.empty() : OptionalLong.of(handle),
                (valid & SIZE) == 0 ? OptionalLong.empty() : OptionalLong.of(size),
                (valid & MODE) == 0 ? OptionalInt.empty() : OptionalInt.of(mode),
                (valid & UID) == 0 ? OptionalInt.empty() : OptionalInt.of(uid),
                (valid & GID) == 0 ? OptionalInt.empty() : OptionalInt.of(gid),
                millis((valid & MTIME) != 0, (valid & MTIME_NOW) != 0, mtime, mtimeNanos),
                millis((valid & ATIME) != 0, (valid & ATIME_NOW) != 0, atime, atimeNanos));
    }

    /** Returns a time in milliseconds since 1970; one before that is not kept, and becomes 0. */
    private static long millis(boolean wanted, boolean now, long seconds, int nanos) {
        if (!wanted) {
            return -1;
        }
        return now ? System.currentTimeMillis() : Math.max(0, seconds * MILLIS_PER_SECOND + nanos / NANOS_PER_MILLI);
    }
}
