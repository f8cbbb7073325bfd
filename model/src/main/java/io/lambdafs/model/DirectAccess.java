package io.lambdafs.model;

import java.util.Map;

/**
 * Leave to write or read the object of a block in its object store, without a datanode. Whoever knows the URL has it, for some minutes. Immutable.
 *
 * @param url that is signed for one key and one method
 * @param headers that belong to what is signed, and are sent with it
 * @param stored the block as its object has it, also where the file shows less of it; of one that is to be written, its length is the most that it may have
 */
public record DirectAccess(String url, Map<String, String> headers, Block stored) {
    public DirectAccess {
        headers = Map.copyOf(headers);
    }

    /** Without the signature, which is a secret. */
    @Override
    public String toString() {
        int query = url.indexOf('?');
        return "DirectAccess[" + (query < 0 ? url : url.substring(0, query)) + ", " + stored.label() + "]";
    }
}
