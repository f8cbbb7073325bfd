package io.lambdafs.platform;

import io.lambdafs.rpc.auth.PrivateFile;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** The user and password of a platform's API, compared in constant time and never printed. Immutable. */
public final class ApiKey {
    private final String userAndPassword;

    private ApiKey(String userAndPassword) {
        this.userAndPassword = userAndPassword;
    }

    /**
     * Parses a key in OpenWhisk's form.
     *
     * @param userAndPassword {@code user:password}
     */
    public static ApiKey of(String userAndPassword) {
        String trimmed = userAndPassword.strip();
        int colon = trimmed.indexOf(':');
        if (colon < 1 || colon == trimmed.length() - 1) {
            throw new IllegalArgumentException("an API key has the form user:password");
        }
        return new ApiKey(trimmed);
    }

    /** Creates a key with 256 bits from the given generator, which must be cryptographic. */
    public static ApiKey random(RandomGenerator random) {
        byte[] password = new byte[32];
        random.nextBytes(password);
        return new ApiKey("lambdafs:" + HexFormat.of().formatHex(password));
    }

    /**
     * Reads a key from a file.
     *
     * @throws IOException if the file is unreadable, readable by others than its owner, or holds no key
     */
    public static ApiKey fromFile(Path file) throws IOException {
        if (posix() && PrivateFile.openTo(file).isPresent()) {
            throw new IOException(file + ": others than its owner may use it; run chmod 600 " + file);
        }
        try {
            return of(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /** Writes the key into a file that only its owner may read (0600), replacing the file in one step. */
    public void writeTo(Path file) throws IOException {
        FileAttribute<?>[] attributes = posix()
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, attributes);
        Files.writeString(temporary, userAndPassword + "\n", StandardOpenOption.WRITE);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean posix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }

    /** Returns the part before the colon, which is no secret. */
    public String user() {
        return userAndPassword.substring(0, userAndPassword.indexOf(':'));
    }

    /** Returns the part after the colon, used to sign. */
    public String password() {
        return userAndPassword.substring(userAndPassword.indexOf(':') + 1);
    }

    /** Returns the value of an {@code Authorization} header. */
    public String authorization() {
        return "Basic " + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a secret derived from the key, with which a server proves that it knows the key without receiving it. */
    public Secret secret() {
        return Secret.of(userAndPassword);
    }

    /** Returns whether an {@code Authorization} header carries this key; takes the same time wherever they differ. */
    public boolean matches(String authorization) {
        return MessageDigest.isEqual(
                authorization().getBytes(StandardCharsets.UTF_8), authorization.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "ApiKey[hidden]";
    }
}
