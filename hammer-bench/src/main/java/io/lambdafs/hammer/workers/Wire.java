package io.lambdafs.hammer.workers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.rpc.auth.Secret;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/**
 * Messages between master and worker: JSON objects with a {@code type}, each preceded by its length. Both sides prove
 * that they know the cluster's secret, which is not transmitted; later messages are not encrypted. Several threads may
 * send; one receives.
 */
final class Wire implements AutoCloseable {
    /** Silence after which a side is lost; each sends something every second. */
    static final Duration SILENCE = Duration.ofSeconds(10);

    private static final int MAX_BYTES = 4 << 20;
    /** Maximum length of a message until the other side has proved itself. */
    private static final int MAX_STRANGER_BYTES = 1_024;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private int limit = MAX_STRANGER_BYTES;

    Wire(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) SILENCE.toMillis());
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    static ObjectNode message(String type) {
        return JsonNodeFactory.instance.objectNode().put("type", type);
    }

    /** Returns this machine's time, microseconds since 1970. */
    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    void send(ObjectNode message) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(message);
        synchronized (out) {
            out.writeInt(bytes.length);
            out.write(bytes);
            out.flush();
        }
    }

    /** @throws EOFException if the other side has ended */
    JsonNode receive() throws IOException {
        int length = in.readInt();
        if (length < 0 || length > limit) {
            throw new IOException("a message of " + length + " bytes; at most " + limit + " are taken");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return JSON.readTree(bytes);
    }

    JsonNode receive(String type) throws IOException {
        JsonNode message = receive();
        if (!message.path("type").asText().equals(type)) {
            throw new IOException("a message \"" + type + "\" was due, not " + message.path("type"));
        }
        return message;
    }

    /** Performs the worker's side of the proof. */
    void proveToMaster(Secret secret) throws IOException {
        String nonce = nonce();
        send(message("hello").put("nonce", nonce));
        JsonNode challenge = receive("challenge");
        check(secret, "master", nonce, challenge, "the master");
        send(message("proof")
                .put("proof", proof(secret, "worker", challenge.path("nonce").asText())));
        limit = MAX_BYTES;
    }

    /** Performs the master's side of the proof. */
    void proveToWorker(Secret secret) throws IOException {
        String theirs = receive("hello").path("nonce").asText();
        String nonce = nonce();
        send(message("challenge").put("nonce", nonce).put("proof", proof(secret, "master", theirs)));
        check(secret, "worker", nonce, receive("proof"), "the worker");
        limit = MAX_BYTES;
    }

    private static void check(Secret secret, String side, String nonce, JsonNode answer, String who)
            throws IOException {
        byte[] due = proof(secret, side, nonce).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(due, answer.path("proof").asText().getBytes(StandardCharsets.UTF_8))) {
            throw new IOException(who + " does not know the cluster's secret");
        }
    }

    private static String proof(Secret secret, String side, String nonce) {
        return HexFormat.of().formatHex(secret.sign(("hammer:" + side + ":" + nonce).getBytes(StandardCharsets.UTF_8)));
    }

    private static String nonce() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    String peer() {
        return socket.getInetAddress().getHostAddress() + ":" + socket.getPort();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Ignored: the connection is no longer needed.
            return;
        }
    }
}
