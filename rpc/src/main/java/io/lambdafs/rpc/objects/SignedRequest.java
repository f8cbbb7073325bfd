package io.lambdafs.rpc.objects;

import java.util.Map;

/**
 * A request to an object store that anybody may send for some minutes. Immutable.
 *
 * @param url with the signature
 * @param headers to be sent with it
 */
public record SignedRequest(Method method, String url, Map<String, String> headers) {
    /** What is done with an object. */
    public enum Method {
        /** Writes it, unless there is one. */
        PUT,
        /** Reads it, or a range of it. */
        GET,
        DELETE
    }

    public SignedRequest {
        headers = Map.copyOf(headers);
    }

    /** Without the signature, which is a secret. */
    @Override
    public String toString() {
        int query = url.indexOf('?');
        return method + " " + (query < 0 ? url : url.substring(0, query));
    }
}
