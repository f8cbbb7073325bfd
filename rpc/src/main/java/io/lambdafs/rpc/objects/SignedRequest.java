package io.lambdafs.rpc.objects;

import java.util.Map;

/**
 * A presigned request to an object store, which anyone may send for some minutes. Immutable.
 *
 * @param url with the signature
 * @param headers to send with it
 */
public record SignedRequest(Method method, String url, Map<String, String> headers) {
    /** The action on an object. */
    public enum Method {
        /** Writes it unless it exists. */
        PUT,
        /** Reads it, or a range of it. */
        GET,
        DELETE
    }

    public SignedRequest {
        headers = Map.copyOf(headers);
    }

    /** Omits the signature, which is a secret. */
    @Override
    public String toString() {
        int query = url.indexOf('?');
        return method + " " + (query < 0 ? url : url.substring(0, query));
    }
}
