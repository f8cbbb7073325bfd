package io.lambdafs.rpc.http;

import io.lambdafs.rpc.auth.Secret;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * Lets a server without TLS prove possession of a key before a client reveals anything: the client sends a nonce, once
 * per connection, and receives an HMAC over the nonce and the port. Stateless.
 */
final class ServerProof {
    /** Path that a server with keys answers itself. */
    static final String PATH = "/.well-known/lambdafs-proof";

    private static final String NONCE = "nonce";
    private static final int NONCE_BYTES = 16;
    private static final int MAX_NONCE_CHARS = 64;
    private static final int MAX_ANSWER_BYTES = 4_096;
    private static final SecureRandom RANDOM = new SecureRandom();

    private ServerProof() {}

    static String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static HttpRequest question(URI server, String nonce, long timeoutNanos) {
        return HttpRequest.get(server.resolve(PATH + "?" + NONCE + "=" + nonce), MAX_ANSWER_BYTES, timeoutNanos);
    }

    /** Returns whether a call asks for the proof, which a server without keys does not have. */
    static boolean isAsked(HttpCall call, HttpHandler handler) {
        return call.path().equals(PATH) && !handler.keys().isEmpty();
    }

    /** Returns the reply, one line per key. */
    static HttpReply answer(HttpCall question, List<Secret> keys, int port) {
        String nonce = question.query().getOrDefault(NONCE, "");
        if (nonce.isEmpty() || nonce.length() > MAX_NONCE_CHARS) {
            return HttpReply.text(400, "a nonce of 1 to " + MAX_NONCE_CHARS + " characters is needed\n");
        }
        StringBuilder lines = new StringBuilder();
        keys.forEach(key -> lines.append(proof(key, port, nonce)).append('\n'));
        return HttpReply.text(200, lines.toString());
    }

    static boolean isGood(HttpReply answer, Secret key, int port, String nonce) {
        byte[] expected = proof(key, port, nonce).getBytes(StandardCharsets.US_ASCII);
        return answer.status() == 200
                && new String(answer.body(), StandardCharsets.UTF_8)
                        .lines()
                        .anyMatch(line -> MessageDigest.isEqual(expected, line.getBytes(StandardCharsets.UTF_8)));
    }

    private static String proof(Secret key, int port, String nonce) {
        return key.derive("HTTP server at port " + port + "\n" + nonce);
    }
}
