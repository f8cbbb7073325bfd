package io.lambdafs.rpc;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

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

    /**
     * Where the next bytes belong, so that the system puts them there instead of a buffer that is copied: direct, and
     * with space for no more than are to come. Told by {@link #came} if any were put there; asked for anew each time.
     *
     * @return null where they are to be given to {@link #take}
     */
    default @Nullable ByteBuffer room() {
        return null;
    }

    /** The next bytes are where {@link #room} said, from its position on. */
    default void came(int count) {
        throw new IllegalStateException("no room was given for " + count + " bytes");
    }
}
