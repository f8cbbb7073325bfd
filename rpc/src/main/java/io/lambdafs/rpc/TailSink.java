package io.lambdafs.rpc;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the bytes that follow a reply. Called on the event loop, in order, and no more once the request has failed;
 * must not block.
 */
public interface TailSink {
    /**
     * The reply has arrived, and its bytes will follow.
     *
     * @throws io.lambdafs.model.FsException it is not the expected reply: the request fails with that, and the bytes
     *     are skipped
     */
    void begin(Tailed answer, int bytes);

    /** Takes the next bytes, in a buffer that is valid until this returns. */
    void take(ByteBuffer bytes);

    /**
     * Returns the place for the next bytes, so that the system puts them there instead of into a buffer that is copied:
     * direct, with space for no more than the bytes still to come. If any are put there, {@link #came} is called; the
     * place is requested anew each time.
     *
     * @return null to have them passed to {@link #take}
     */
    default @Nullable ByteBuffer room() {
        return null;
    }

    /** The next bytes are in {@link #room}, from its position on. */
    default void came(int count) {
        throw new IllegalStateException("no room was given for " + count + " bytes");
    }
}
