package io.lambdafs.rpc;

import java.nio.ByteBuffer;

/** Takes the bytes behind an answer. Called on the event loop, in order, and no more once the request has failed; must not block. */
public interface TailSink {
    /**
     * The answer has come, and its bytes will follow.
     *
     * @throws io.lambdafs.model.FsException it is not what was asked for: the request fails with that, and the bytes are skipped
     */
    void begin(Tailed answer, int bytes);

    /** The next bytes, in a buffer that is good until this returns. */
    void take(ByteBuffer bytes);
}
