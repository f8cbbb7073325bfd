package io.lambdafs.door.mount.wire;

import org.jspecify.annotations.Nullable;

/** The kinds of requests, with the kernel's numbers. */
public enum Opcode {
    LOOKUP(1),
    FORGET(2),
    GETATTR(3),
    SETATTR(4),
    READLINK(5),
    SYMLINK(6),
    MKNOD(8),
    MKDIR(9),
    UNLINK(10),
    RMDIR(11),
    RENAME(12),
    LINK(13),
    OPEN(14),
    READ(15),
    WRITE(16),
    STATFS(17),
    RELEASE(18),
    FSYNC(20),
    SETXATTR(21),
    GETXATTR(22),
    LISTXATTR(23),
    REMOVEXATTR(24),
    FLUSH(25),
    INIT(26),
    OPENDIR(27),
    READDIR(28),
    RELEASEDIR(29),
    FSYNCDIR(30),
    ACCESS(34),
    CREATE(35),
    INTERRUPT(36),
    DESTROY(38),
    BATCH_FORGET(42),
    READDIRPLUS(44),
    RENAME2(45);

    private static final Opcode[] BY_NUMBER = new Opcode[64];

    static {
        for (Opcode each : values()) {
            BY_NUMBER[each.number] = each;
        }
    }

    private final int number;

    Opcode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** Returns the kind with a number; null for one that is not served. */
    public static @Nullable Opcode of(int number) {
        return number < 0 || number >= BY_NUMBER.length ? null : BY_NUMBER[number];
    }

    /** Returns whether the kernel awaits no answer. */
    public boolean isSilent() {
        return switch (this) {
            case FORGET, BATCH_FORGET, INTERRUPT -> true;
            default -> false;
        };
    }
}
