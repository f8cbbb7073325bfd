package io.lambdafs.platform.local;

import io.lambdafs.rpc.http.HttpCall;

/**
 * The part of a list that a caller requests. Immutable.
 *
 * @param limit at most {@value #MAX}; 0 asks for that many
 */
record Paging(int skip, int limit) {
    static final int MAX = 200;
    private static final int DEFAULT = 30;

    /** @throws IllegalArgumentException if a value is not a number or is out of range */
    static Paging of(HttpCall call, String collection) {
        int limit = number(call, "limit", DEFAULT, collection);
        int skip = number(call, "skip", 0, collection);
        if (limit < 0 || limit > MAX) {
            throw new IllegalArgumentException(
                    "The value '" + limit + "' is not in the range of 0 to " + MAX + " for " + collection + ".");
        }
        if (skip < 0) {
            throw new IllegalArgumentException(
                    "The value '" + skip + "' is not greater than or equal to 0 for " + collection + ".");
        }
        return new Paging(skip, limit == 0 ? MAX : limit);
    }

    private static int number(HttpCall call, String name, int otherwise, String collection) {
        String given = call.query().get(name);
        if (given == null) {
            return otherwise;
        }
        try {
            return Integer.parseInt(given);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "The value '" + given + "' is not an integer for " + collection + ".", e);
        }
    }
}
