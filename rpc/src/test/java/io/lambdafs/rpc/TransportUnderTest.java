package io.lambdafs.rpc;

import io.lambdafs.rpc.message.Codec;
import java.io.InputStream;

/** How the contract makes transports of one kind and looks at their buffers. */
public interface TransportUnderTest {
    /** A new transport. */
    Transport create(Codec codec, TransportLimits limits);

    /** Bytes that the transports made here hold in buffers. */
    long bufferedBytes();

    /** Returns the first bytes that a listener sends on a connection. */
    default byte[] greeting() {
        return new byte[0];
    }

    /** Frames, or parts of them, as they are on the wire. */
    default byte[] onTheWire(byte[] frames) {
        return frames;
    }

    /** The frames alone in what comes from the wire. */
    default InputStream framesIn(InputStream wire) {
        return wire;
    }

    /** Fails if a buffer was not given back; called when all transports are closed. */
    void assertNothingLeaked();
}
