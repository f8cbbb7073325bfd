package io.lambdafs.rpc.auth;

import io.lambdafs.model.FsException;
import io.lambdafs.model.Sha256;
import io.lambdafs.model.disk.FileTrouble;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A cluster's shared secret: {@value #BYTES} random bytes, stored as 64 hexadecimal digits in a file only its owner can
 * read. Never printed. Immutable.
 */
public final class Secret {
    public static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");
    private static final int MAX_FILE_BYTES = 1_024;

    private final SecretKeySpec key;

    private Secret(byte[] bytes) {
        key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /** Generates a new secret. */
    public static Secret generate() {
        return new Secret(randomBytes());
    }

    /** Derives a secret from a string, such as a token; knowing the string means knowing the secret. */
    public static Secret of(String text) {
        return new Secret(Sha256.of(text));
    }

    /**
     * Loads a secret, or creates the file if missing. Processes that start together get the same one, because the file
     * appears atomically.
     *
     * @throws FsException as {@link #load}; {@code UNAVAILABLE} if the file cannot be made
     */
    public static Secret loadOrCreate(Path file) {
        if (!Files.exists(file)) {
            create(file);
        }
        return load(file);
    }

    /**
     * Loads a secret.
     *
     * @throws FsException {@code UNAVAILABLE}: there is no such file, or it cannot be read; {@code INVALID_ARGUMENT}:
     *     others may read it, or it holds no secret
     */
    public static Secret load(Path file) {
        try {
            Optional<String> open = PrivateFile.openTo(file);
            if (open.isPresent()) {
                throw FsException.invalidArgument("the secret file " + file + " is open to others (" + open.get()
                        + "): make a new secret, or run chmod 600 on it if nobody can have read it");
            }
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw notASecret(file);
            }
            byte[] bytes = HexFormat.of()
                    .parseHex(Files.readString(file, StandardCharsets.US_ASCII).strip());
            if (bytes.length != BYTES) {
                throw notASecret(file);
            }
            return new Secret(bytes);
        } catch (NoSuchFileException e) {
            throw FsException.unavailable(
                    "there is no secret file " + file + ": start the cluster, or name its file", e);
        } catch (IOException e) {
            throw FsException.unavailable("cannot read the secret file " + file + ": " + e + "; check who owns it", e);
        } catch (IllegalArgumentException e) {
            // Without the cause: its message quotes the content.
            throw notASecret(file);
        }
    }

    private static FsException notASecret(Path file) {
        return FsException.invalidArgument("the file " + file + " does not hold a secret of " + 2 * BYTES
                + " hexadecimal digits: remove it to have one made, or name the right file");
    }

    private static void create(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        byte[] text = (HexFormat.of().formatHex(randomBytes()) + "\n").getBytes(StandardCharsets.US_ASCII);
        try {
            if (folder == null) {
                throw new NoSuchFileException(file.toString());
            }
            Path draft = Files.createTempFile(folder, ".secret", "", PosixFilePermissions.asFileAttribute(PRIVATE));
            try {
                try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                    ByteBuffer content = ByteBuffer.wrap(text);
                    while (content.hasRemaining()) {
                        channel.write(content);
                    }
                    channel.force(true);
                }
                publish(draft, file);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (FileAlreadyExistsException e) {
            // Another process was first: use its secret.
            return;
        } catch (IOException e) {
            throw FileTrouble.of("cannot make the secret file " + file, e);
        }
    }

    /**
     * Publishes by a hard link, which never replaces a file; a rename would, leaving two processes with different
     * secrets.
     */
    private static void publish(Path draft, Path file) throws IOException {
        try {
            Files.createLink(file, draft);
        } catch (UnsupportedOperationException e) {
            Files.move(draft, file);
        }
    }

    private static byte[] randomBytes() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /** Derives a secret for another purpose, which does not reveal this one. */
    public Secret derived(String purpose) {
        return new Secret(sign(("secret:" + purpose).getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Derives a password for another service, which does not reveal this secret: HMAC-SHA256 of the purpose, 64
     * hexadecimal digits.
     */
    public String derive(String purpose) {
        return HexFormat.of().formatHex(sign(("derive:" + purpose).getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Returns the value of an {@code Authorization} header that proves possession of this secret to another holder
     * without revealing it.
     */
    public String authorization() {
        return "Bearer " + derive("HTTP client");
    }

    /** Returns whether a header has that value, compared in constant time. */
    public boolean matches(String authorization) {
        return MessageDigest.isEqual(
                authorization().getBytes(StandardCharsets.UTF_8), authorization.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the HMAC-SHA256 under this secret. */
    public byte[] sign(byte[] data) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(data);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("this Java cannot compute " + ALGORITHM, e);
        }
    }

    /** Reveals nothing. */
    @Override
    public String toString() {
        return "Secret[]";
    }
}
