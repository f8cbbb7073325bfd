package io.lambdafs.door.s3.calls;

import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/** The MD5 of contents, and the checksum that their sender has sent, beside them or after them. For one thread. */
final class Integrity {
    static final String HEADER = "x-amz-checksum-";
    /** The checksums that there are. */
    private static final List<String> KINDS = List.of("crc32", "crc32c", "crc64nvme", "sha1", "sha256");

    private static final int MD5_BYTES = 16;

    private final MessageDigest md5 = digest("MD5");
    private final Optional<String> expectedMd5;
    private final @Nullable String kind;
    private final @Nullable String expected;
    private final @Nullable MessageDigest digest;
    private final @Nullable Checksum checksum;
    private byte @Nullable [] made;

    private Integrity(Optional<String> expectedMd5, @Nullable String kind, @Nullable String expected) {
        this.expectedMd5 = expectedMd5;
        this.kind = kind;
        this.expected = expected;
        this.digest =
                kind == null || !kind.startsWith("sha") ? null : digest(kind.equals("sha1") ? "SHA-1" : "SHA-256");
        this.checksum = kind == null ? null : checksum(kind);
    }

    static Integrity of(S3Call call) {
        Optional<String> md5 = call.header("content-md5");
        if (md5.isPresent() && !isMd5(md5.get())) {
            throw new S3Failure(S3Code.INVALID_DIGEST, "Content-MD5 is not the Base64 of an MD5");
        }
        for (String each : KINDS) {
            Optional<String> value = call.header(HEADER + each);
            if (value.isPresent()) {
                return new Integrity(md5, each, value.get());
            }
        }
        String trailer = call.header("x-amz-trailer").orElse("").strip();
        String named = trailer.startsWith(HEADER) ? trailer.substring(HEADER.length()) : "";
        if (!named.isEmpty() && !KINDS.contains(named)) {
            throw new S3Failure(S3Code.INVALID_REQUEST, "the checksum " + named + " is none of " + KINDS);
        }
        return new Integrity(md5, named.isEmpty() ? null : named, null);
    }

    private static boolean isMd5(String text) {
        try {
            return Base64.getDecoder().decode(text).length == MD5_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Checksum checksum(String kind) {
        return switch (kind) {
            case "crc32" -> new CRC32();
            case "crc32c" -> new CRC32C();
            case "crc64nvme" -> new Crc64();
            default -> null;
        };
    }

    void update(ByteBuffer piece) {
        md5.update(piece.duplicate());
        if (digest != null) {
            digest.update(piece.duplicate());
        }
        if (checksum != null) {
            checksum.update(piece.duplicate());
        }
    }

    /**
     * Compares what came with what its sender says of it.
     *
     * @param trailers that came after the contents
     * @return the MD5
     */
    byte[] check(Map<String, String> trailers) {
        byte[] hash = md5.digest();
        if (expectedMd5.isPresent() && !expectedMd5.get().equals(base64(hash))) {
            throw badDigest("Content-MD5");
        }
        if (kind != null) {
            String told = expected != null ? expected : trailers.getOrDefault(HEADER + kind, "");
            byte[] value = digest != null ? digest.digest() : bytes();
            if (!told.equals(base64(value))) {
                throw badDigest(HEADER + kind);
            }
            made = value;
        }
        return hash;
    }

    private byte[] bytes() {
        long value = checksum == null ? 0 : checksum.getValue();
        return "crc64nvme".equals(kind)
                ? ByteBuffer.allocate(Long.BYTES).putLong(value).array()
                : ByteBuffer.allocate(Integer.BYTES).putInt((int) value).array();
    }

    private static S3Failure badDigest(String which) {
        return new S3Failure(S3Code.BAD_DIGEST, "the contents are not those of " + which);
    }

    /** Returns the checksum that was compared, by its kind; empty if its sender sent none. */
    Map<String, String> checksums() {
        return kind == null || made == null ? Map.of() : new TreeMap<>(Map.of(kind, base64(made)));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
