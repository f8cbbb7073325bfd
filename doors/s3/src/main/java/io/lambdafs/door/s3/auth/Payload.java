package io.lambdafs.door.s3.auth;

import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.body.HttpBody;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The contents of a call's body as a stream: plain or aws-chunked, with or without signatures of the chunks and a
 * trailer. Everything the signature covers is verified before the end of the stream. Holds no more
 * than a piece. For one thread.
 */
public final class Payload {
    /** Longest silence of a sender. */
    private static final long SILENT_SECONDS = 60;
    /** Fewest bytes a second, after the longest silence. */
    private static final long SLOWEST = 1_024;

    private static final int LONGEST_LINE = 8_192;
    private static final int MOST_TRAILERS = 16;
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private static final String EMPTY_HASH = Hashes.sha256(new byte[0]);

    private final HttpBody body;
    private final Signed signed;
    private final OptionalLong length;
    private final MessageDigest hash = Hashes.sha256();
    private final long sinceNanos = System.nanoTime();
    private final Map<String, String> trailers = new HashMap<>();
    private ByteBuffer come = NONE;
    private long received;
    private long read;
    private boolean over;

    // Of pieces
    private long left;
    private boolean first = true;
    private String before;
    private String told = "";

    private Payload(HttpBody body, Signed signed, OptionalLong length) {
        this.body = body;
        this.signed = signed;
        this.length = length;
        this.before = signed.chain().seed();
    }

    /** Returns the contents of a call. */
    public static Payload of(HttpCall call, Signed signed, HttpBody body) {
        String told = call.header(signed.isStreamed() ? "x-amz-decoded-content-length" : "content-length")
                .orElse("");
        if (!told.isEmpty() && !told.matches("[0-9]{1,18}")) {
            throw new S3Failure(S3Code.INVALID_ARGUMENT, "the length is no number");
        }
        if (told.isEmpty()
                && (signed.isStreamed() || !call.header("transfer-encoding").isPresent())) {
            throw new S3Failure(S3Code.MISSING_CONTENT_LENGTH, "the length of the contents is not told");
        }
        return new Payload(body, signed, told.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(told)));
    }

    /**
     * Verifies a body that has come whole.
     *
     * @throws S3Failure if it is not the one that was signed
     */
    public static void check(HttpCall call, Signed signed) {
        if (signed.hasHash() && !Hashes.equal(Hashes.sha256(call.body()), signed.content())) {
            throw mismatch();
        }
    }

    private static S3Failure mismatch() {
        return new S3Failure(S3Code.CONTENT_SHA256_MISMATCH, "the contents are not those that were signed");
    }

    /** Returns the length that the call tells; empty if it tells none. */
    public OptionalLong length() {
        return length;
    }

    /** Returns the headers that follow the contents, by name; complete at the end. */
    public Map<String, String> trailers() {
        return Map.copyOf(trailers);
    }

    /**
     * Returns what comes next; nothing at the end, when all of it is verified.
     *
     * @throws S3Failure if it is not what was signed, or does not come
     */
    public ByteBuffer next() throws IOException {
        if (over) {
            return NONE;
        }
        ByteBuffer piece = signed.isStreamed() ? nextOfPieces() : raw();
        if (piece.hasRemaining()) {
            read += piece.remaining();
            if (length.isPresent() && read > length.getAsLong()) {
                throw incomplete();
            }
            if (signed.hasHash() || signed.hasSignedPieces()) {
                hash.update(piece.duplicate());
            }
            return piece;
        }
        over = true;
        drain();
        if (length.isPresent() && read != length.getAsLong()) {
            throw incomplete();
        }
        if (signed.hasHash() && !Hashes.equal(Hashes.hex(hash.digest()), signed.content())) {
            throw mismatch();
        }
        return NONE;
    }

    /** Takes the end of the body, so that the connection can carry another call. */
    private void drain() throws IOException {
        long ended = received;
        while (raw().hasRemaining()) {
            if (received - ended > LONGEST_LINE) {
                throw malformed();
            }
        }
    }

    private S3Failure incomplete() {
        return new S3Failure(
                S3Code.INCOMPLETE_BODY, "there are not the " + length.orElse(0) + " bytes that the call tells");
    }

    /** Returns bytes of the body as they were sent. */
    private ByteBuffer raw() throws IOException {
        if (come.hasRemaining()) {
            ByteBuffer rest = come;
            come = NONE;
            return rest;
        }
        try {
            byte[] piece = body.next().toCompletableFuture().get(SILENT_SECONDS, TimeUnit.SECONDS);
            received += piece.length;
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sinceNanos);
            if (piece.length > 0 && received < (seconds - SILENT_SECONDS) * SLOWEST) {
                throw new S3Failure(
                        S3Code.REQUEST_TIMEOUT, "the contents come slower than " + SLOWEST + " bytes a second");
            }
            return ByteBuffer.wrap(piece);
        } catch (ExecutionException e) {
            throw new IOException("the contents ended before their end", e.getCause());
        } catch (TimeoutException e) {
            throw new S3Failure(S3Code.REQUEST_TIMEOUT, "no contents came for " + SILENT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the door stops");
        }
    }

    private ByteBuffer nextOfPieces() throws IOException {
        if (left == 0) {
            endPiece();
            beginPiece();
            if (left == 0) {
                endPiece();
                readTrailers();
                return NONE;
            }
        }
        ByteBuffer all = some();
        int part = (int) Math.min(all.remaining(), left);
        ByteBuffer piece = all.slice(all.position(), part);
        all.position(all.position() + part);
        come = all;
        left -= part;
        return piece;
    }

    private void beginPiece() throws IOException {
        if (!first && !line().isEmpty()) {
            throw malformed();
        }
        first = false;
        String head = line();
        int end = head.indexOf(';');
        String size = end < 0 ? head : head.substring(0, end);
        if (!size.matches("[0-9a-fA-F]{1,15}")) {
            throw malformed();
        }
        left = Long.parseLong(size, 16);
        String extension = "chunk-signature=";
        int at = head.indexOf(extension);
        told = at < 0 ? "" : head.substring(at + extension.length()).strip();
    }

    /** Verifies the piece that has come; the first time there is none. */
    private void endPiece() {
        if (first || !signed.hasSignedPieces()) {
            return;
        }
        Signed.Chain chain = signed.chain();
        String made = chain.sign("AWS4-HMAC-SHA256-PAYLOAD\n" + chain.date() + "\n" + chain.scope() + "\n" + before
                + "\n" + EMPTY_HASH + "\n" + Hashes.hex(hash.digest()));
        checkLink(made, told);
    }

    private void checkLink(String made, String there) {
        if (!Hashes.equal(made, there)) {
            throw new S3Failure(
                    S3Code.SIGNATURE_DOES_NOT_MATCH, "a piece of the contents is not the one that was signed");
        }
        before = made;
    }

    private void readTrailers() throws IOException {
        if (!signed.hasTrailer()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        String signature = "";
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1 || trailers.size() >= MOST_TRAILERS) {
                throw malformed();
            }
            String name = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
            String value = line.substring(colon + 1).strip();
            if (name.equals("x-amz-trailer-signature")) {
                signature = value;
            } else {
                trailers.put(name, value);
                text.append(name).append(':').append(value).append('\n');
            }
        }
        if (signed.hasSignedPieces()) {
            Signed.Chain chain = signed.chain();
            checkLink(
                    chain.sign("AWS4-HMAC-SHA256-TRAILER\n" + chain.date() + "\n" + chain.scope() + "\n" + before + "\n"
                            + Hashes.sha256(Hashes.bytes(text.toString()))),
                    signature);
        }
    }

    private static S3Failure malformed() {
        return new S3Failure(S3Code.INVALID_REQUEST, "the body is not aws-chunked, as the call says");
    }

    private ByteBuffer some() throws IOException {
        ByteBuffer some = raw();
        if (!some.hasRemaining()) {
            throw new S3Failure(S3Code.INCOMPLETE_BODY, "the body ends within a piece");
        }
        return some;
    }

    /** Reads a line, without its end; the end of the body ends it too. */
    private String line() throws IOException {
        byte[] bytes = new byte[128];
        int count = 0;
        while (true) {
            ByteBuffer some = raw();
            if (!some.hasRemaining()) {
                return new String(bytes, 0, count, StandardCharsets.UTF_8);
            }
            while (some.hasRemaining()) {
                byte each = some.get();
                if (each == '\n') {
                    come = some;
                    int end = count > 0 && bytes[count - 1] == '\r' ? count - 1 : count;
                    return new String(bytes, 0, end, StandardCharsets.UTF_8);
                }
                if (count == LONGEST_LINE) {
                    throw malformed();
                }
                if (count == bytes.length) {
                    bytes = Arrays.copyOf(bytes, 2 * count);
                }
                bytes[count++] = each;
            }
        }
    }
}
