package io.lambdafs.rpc.framing;

/** The layout of a frame's head; all numbers are big-endian. */
public final class Frame {
    /** Bytes of the length field, which does not count itself. */
    public static final int LENGTH_BYTES = 4;
    /** Version, kind, correlation id. */
    public static final int HEAD_BYTES = 1 + 1 + 8;

    public static final int VERSION_AT = LENGTH_BYTES;
    public static final int KIND_AT = LENGTH_BYTES + 1;
    public static final int ID_AT = LENGTH_BYTES + 2;
    public static final int BODY_AT = LENGTH_BYTES + HEAD_BYTES;

    public static final byte VERSION = 1;
    public static final byte REQUEST = 0;
    public static final byte REPLY = 1;
    /** A reply whose message is preceded by its length (four bytes) and followed by a tail. */
    public static final byte TAILED_REPLY = 2;

    private Frame() {}
}
