package io.lambdafs.rpc.netty;

/** The layout of a frame's head; all numbers are big-endian. */
final class Frame {
    /** Bytes of the length field, which does not count itself. */
    static final int LENGTH_BYTES = 4;
    /** Version, kind, correlation id. */
    static final int HEAD_BYTES = 1 + 1 + 8;

    static final int VERSION_AT = LENGTH_BYTES;
    static final int KIND_AT = LENGTH_BYTES + 1;
    static final int ID_AT = LENGTH_BYTES + 2;
    static final int BODY_AT = LENGTH_BYTES + HEAD_BYTES;

    static final byte VERSION = 1;
    static final byte REQUEST = 0;
    static final byte REPLY = 1;

    private Frame() {}
}
