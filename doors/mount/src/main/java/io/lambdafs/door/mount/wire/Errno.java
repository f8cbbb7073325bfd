package io.lambdafs.door.mount.wire;

import io.lambdafs.model.FsException;

/** Linux's error numbers, as far as a mount answers them. */
public enum Errno {
    EPERM(1),
    ENOENT(2),
    EIO(5),
    EBADF(9),
    EACCES(13),
    EBUSY(16),
    EEXIST(17),
    ENOTDIR(20),
    EISDIR(21),
    EINVAL(22),
    EFBIG(27),
    ENOSPC(28),
    EROFS(30),
    ERANGE(34),
    ENAMETOOLONG(36),
    ENOSYS(38),
    ENOTEMPTY(39),
    ENODATA(61),
    EOPNOTSUPP(95),
    ESTALE(116),
    EDQUOT(122);

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** Returns this as a failure. */
    public ErrnoException failure() {
        return new ErrnoException(this);
    }

    /** Returns the number that tells a program of a failure of the file system. */
    public static Errno of(FsException why) {
        return switch (why.code()) {
            case NOT_FOUND -> ENOENT;
            case ALREADY_EXISTS -> EEXIST;
            case NOT_A_DIRECTORY -> ENOTDIR;
            case IS_A_DIRECTORY -> EISDIR;
            case NOT_EMPTY -> ENOTEMPTY;
            case PERMISSION_DENIED -> EACCES;
            case INVALID_PATH, INVALID_ARGUMENT, NOT_ALLOWED, INVALID_ACL -> EINVAL;
            case UNSUPPORTED, NO_CONTENT, NEEDS_DATANODE -> EOPNOTSUPP;
            case STALE_GENERATION, NOT_UNDER_CONSTRUCTION -> ESTALE;
            case BEING_WRITTEN, SUBTREE_BUSY -> EBUSY;
            case NO_XATTR -> ENODATA;
            case SAFE_MODE -> EROFS;
            case NAMES_QUOTA_EXCEEDED, SPACE_QUOTA_EXCEEDED -> EDQUOT;
            case SNAPSHOT_REFUSED -> EPERM;
            case STORE_FULL -> ENOSPC;
            default -> EIO;
        };
    }
}
