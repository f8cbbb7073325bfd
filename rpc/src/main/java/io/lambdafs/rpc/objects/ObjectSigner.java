package io.lambdafs.rpc.objects;

import java.time.Duration;

/** Signs requests for the objects of one store. Nothing is sent for it. Thread-safe. */
public interface ObjectSigner {
    /** Longest object that one request writes: what the common object stores take. */
    long MOST_BYTES = 4L << 30;

    /**
     * Signs a request. One that writes replaces no object.
     *
     * @param nowMillis wall clock
     * @param life for how long it may be begun
     */
    SignedRequest sign(SignedRequest.Method method, String key, long nowMillis, Duration life);
}
