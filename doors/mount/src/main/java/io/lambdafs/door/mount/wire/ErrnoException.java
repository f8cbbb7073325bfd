package io.lambdafs.door.mount.wire;

/** A request refused with an error number. No stack trace is recorded: it is an answer, not a fault. */
public final class ErrnoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Errno errno;

    ErrnoException(Errno errno) {
        super(errno.name(), null, false, false);
        this.errno = errno;
    }

    public Errno errno() {
        return errno;
    }
}
