package io.lambdafs.rpc;

/** How the contract makes transports of one kind and looks at their buffers. */
public interface TransportUnderTest {
    /** A new transport. */
    Transport create(Codec codec, TransportLimits limits);

    /** Bytes that the transports made here hold in buffers. */
    long bufferedBytes();

    /** Fails if a buffer was not given back; called when all transports are closed. */
    void assertNothingLeaked();
}
