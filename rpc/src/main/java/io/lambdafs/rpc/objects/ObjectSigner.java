package io.lambdafs.rpc.objects;

import java.time.Duration;

/** Presigns requests for the objects of one store, without sending anything. Thread-safe. */
public interface ObjectSigner {
    /** Maximum object written by one request, as accepted by common object stores. */
    long MOST_BYTES = 4L << 30;

    /**
     * Signs a request. Writes never replace an object.
     *
     * @param nowMillis wall clock
     * @param life how long the request may be started
     */
    SignedRequest sign(SignedRequest.Method method, String key, long nowMillis, Duration life);
}
