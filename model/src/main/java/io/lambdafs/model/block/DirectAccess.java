package io.lambdafs.model.block;

import java.util.Map;

/**
 * A presigned URL to write or read a block's object directly in its object store. Anyone who knows the URL has access
 * for some minutes. Immutable.
 *
 * @param url signed for one key and one method
 * @param headers covered by the signature, to be sent with the request
 * @param stored the block as stored, even if the file shows less of it; for a block to be written, its length is the
 *     maximum
 */
public record DirectAccess(String url, Map<String, String> headers, Block stored) {
    public DirectAccess {
        headers = Map.copyOf(headers);
    }

    /** Omits the signature, which is a secret. */
    @Override
    public String toString() {
        int query = url.indexOf('?');
        return "DirectAccess[" + (query < 0 ? url : url.substring(0, query)) + ", " + stored.label() + "]";
    }
}
