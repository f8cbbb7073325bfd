package io.lambdafs.door.s3.auth;

/**
 * A call whose signature is right. Immutable.
 *
 * @param content what the signature says of the body: its SHA-256, or how it is sent
 * @param chain with which the pieces of a body are signed
 */
public record Signed(AccessKey key, String content, Chain chain) {
    static final String UNSIGNED = "UNSIGNED-PAYLOAD";
    static final String STREAMING = "STREAMING-";
    private static final String TRAILER = "-TRAILER";
    private static final String SIGNED_STREAM = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";

    /**
     * The key, the scope and the first signature of a chain.
     *
     * @param date like {@code 20130524T000000Z}
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Chain(byte[] key, String date, String scope, String seed) {
        /** Returns the signature of a text. */
        String sign(String text) {
            return Hashes.hex(Hashes.hmac(key, text));
        }

        @Override
        public String toString() {
            return scope;
        }
    }

    /** Returns whether the body is aws-chunked. */
    boolean isStreamed() {
        return content.startsWith(STREAMING);
    }

    boolean hasSignedPieces() {
        return content.startsWith(SIGNED_STREAM);
    }

    boolean hasTrailer() {
        return content.endsWith(TRAILER);
    }

    boolean hasHash() {
        return !isStreamed() && !content.equals(UNSIGNED);
    }
}
