package io.lambdafs.door.s3.auth;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * An access key of a user. Immutable.
 *
 * @param id public, 4–128 letters, digits and {@code _.-}
 * @param secret with which calls are signed; in clear, since a signature needs it
 * @param user of λFS
 * @param groups of the user, the primary one first; empty for those that this machine knows
 */
public record AccessKey(String id, String secret, String user, List<String> groups) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int ID_LETTERS = 16;
    private static final int SECRET_BYTES = 30;
    private static final int LEAST_SECRET = 8;

    public AccessKey {
        groups = List.copyOf(groups);
        if (!id.matches("[A-Za-z0-9_.-]{4,128}")) {
            throw new IllegalArgumentException("an access key has 4 to 128 letters, digits and _.-");
        }
        if (secret.length() < LEAST_SECRET) {
            throw new IllegalArgumentException("a secret key has at least " + LEAST_SECRET + " characters");
        }
        if (user.isBlank()) {
            throw new IllegalArgumentException("an access key acts for a user");
        }
    }

    /** Returns a new random key of a user. */
    public static AccessKey make(String user, List<String> groups) {
        StringBuilder id = new StringBuilder("LFS");
        for (int i = 0; i < ID_LETTERS; i++) {
            id.append(LETTERS.charAt(RANDOM.nextInt(LETTERS.length())));
        }
        byte[] secret = new byte[SECRET_BYTES];
        RANDOM.nextBytes(secret);
        return new AccessKey(id.toString(), Base64.getEncoder().encodeToString(secret), user, groups);
    }

    /** Keeps the secret out of logs. */
    @Override
    public String toString() {
        return "AccessKey[" + id + " of " + user + "]";
    }
}
