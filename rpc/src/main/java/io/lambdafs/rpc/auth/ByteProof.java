package io.lambdafs.rpc.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of {@link ServiceProof} as plain bytes, for connections that then carry a foreign protocol. The dialling
 * end sends {@link #hello}, the other end {@link #reply}, the first {@link #answer}; their lengths are fixed. One
 * object per end of a connection. Confined to one thread.
 */
public final class ByteProof {
    public static final int HELLO_BYTES = 2 * ServiceProof.NONCE_BYTES;
    public static final int ANSWER_BYTES = 2 * Secret.BYTES;
    public static final int REPLY_BYTES = HELLO_BYTES + ANSWER_BYTES;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Secret secret;
    private final String service;
    private final String nonce;
    private String theirs = "";

    /** @param service name of the dialled service, as known to both ends */
    public ByteProof(Secret secret, String service) {
        this.secret = secret;
        this.service = service;
        byte[] bytes = new byte[ServiceProof.NONCE_BYTES];
        RANDOM.nextBytes(bytes);
        nonce = HexFormat.of().formatHex(bytes);
    }

    /** Returns the dialling end's first message. */
    public byte[] hello() {
        return bytes(nonce);
    }

    /** Returns the accepting end's reply, which proves that it is the service. */
    public byte[] reply(byte[] hello) {
        theirs = text(hello);
        return bytes(nonce + ServiceProof.sign(secret, ServiceProof.ACCEPTS, service, theirs, nonce));
    }

    /** Returns the dialling end's proof; null if the reply does not prove the accepting end. */
    public byte @Nullable [] answer(byte[] reply) {
        theirs = text(reply).substring(0, HELLO_BYTES);
        byte[] expected = bytes(theirs + ServiceProof.sign(secret, ServiceProof.ACCEPTS, service, nonce, theirs));
        return MessageDigest.isEqual(expected, reply)
                ? bytes(ServiceProof.sign(secret, ServiceProof.DIALS, service, nonce, theirs))
                : null;
    }

    /** Returns whether an answer proves the dialling end. */
    public boolean isGood(byte[] answer) {
        return MessageDigest.isEqual(
                bytes(ServiceProof.sign(secret, ServiceProof.DIALS, service, theirs, nonce)), answer);
    }

    /** Returns the message for a listener that failed to prove that it is the service. */
    public String unproved(Object address) {
        return ServiceProof.unproved(address, service);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
