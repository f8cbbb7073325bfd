package io.lambdafs.rpc.auth;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Principal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and verifies clients' tokens: {@code lfs1.<claims>.<signature>}, each part in URL-safe base64 without
 * padding, at most {@value #MAX_CHARS} characters. The claims are role, user, groups, expiry and a nonce; the signature
 * is the HMAC-SHA256 of everything before it, so a token cannot be modified. Thread-safe.
 */
public final class Tokens {
    public static final int MAX_CHARS = 4_096;

    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
    private static final String SIGNED = "lfs1.";
    private static final String UNSIGNED = "lfs0.";
    private static final int NONCE_BYTES = 12;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final @Nullable Secret secret;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    private Tokens(@Nullable Secret secret, InstantSource clock) {
        this.secret = secret;
        this.clock = clock;
    }

    /** Returns the tokens of a cluster, by the machine's clock. */
    public static Tokens signed(Secret secret) {
        return signed(secret, InstantSource.system());
    }

    public static Tokens signed(Secret secret, InstantSource clock) {
        return new Tokens(secret, clock);
    }

    /** Returns insecure tokens: any signature, or none, is accepted. Logs a warning. */
    public static Tokens insecure() {
        LOG.warn("insecure mode: identities are not checked; anyone who can connect may claim to be any user");
        return new Tokens(null, InstantSource.system());
    }

    /** Returns the signing secret; null in insecure mode. */
    @Nullable
    Secret secret() {
        return secret;
    }

    /**
     * Creates a token.
     *
     * @param lifetime from now
     * @throws FsException {@code INVALID_ARGUMENT} if user and groups are too long for a token
     */
    public String mint(Principal principal, Role role, Duration lifetime) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        WireWriter claims = new WireWriter();
        claims.writeByte(role.number());
        claims.writeLong(clock.millis() + lifetime.toMillis());
        claims.writeString(principal.user());
        claims.writeSize(principal.groups().size());
        principal.groups().forEach(claims::writeString);
        claims.writeBytes(nonce);
        String unsigned = ENCODER.encodeToString(claims.toByteArray());
        String token = secret == null
                ? UNSIGNED + unsigned + "."
                : SIGNED + unsigned + "." + signature(secret, SIGNED + unsigned);
        if (token.length() > MAX_CHARS) {
            throw FsException.invalidArgument("user " + principal.user() + " has more groups than fit a token of "
                    + MAX_CHARS + " characters: leave some out");
        }
        return token;
    }

    /**
     * Verifies a token.
     *
     * @throws FsException {@code UNAUTHENTICATED} if this cluster did not create it; {@code TOKEN_EXPIRED}
     */
    public Identity verify(String token) {
        int end = token.lastIndexOf('.');
        boolean known = token.startsWith(SIGNED) || token.startsWith(UNSIGNED);
        if (token.length() > MAX_CHARS || !known || end < SIGNED.length()) {
            throw unauthenticated();
        }
        if (secret != null) {
            String expected = signature(secret, token.substring(0, end));
            // Compared as text, because base64 can encode the same bytes in several ways.
            boolean same = MessageDigest.isEqual(
                    expected.getBytes(StandardCharsets.US_ASCII),
                    token.substring(end + 1).getBytes(StandardCharsets.UTF_8));
            if (!same || !token.startsWith(SIGNED)) {
                throw unauthenticated();
            }
        }
        Identity identity = parse(token.substring(SIGNED.length(), end));
        if (clock.millis() >= identity.expiryMillis()) {
            throw new FsException(
                    ErrorCode.TOKEN_EXPIRED,
                    "the token of " + identity.principal().user()
                            + " has expired: get a new one, and check both clocks");
        }
        return identity;
    }

    private static Identity parse(String claims) {
        try {
            WireReader in = new WireReader(DECODER.decode(claims));
            int number = in.readByte();
            Role role = null;
            for (Role candidate : Role.values()) {
                role = candidate.number() == number ? candidate : role;
            }
            long expiryMillis = in.readLong();
            String user = in.readString();
            int count = in.readCount(1);
            List<String> groups = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                groups.add(in.readString());
            }
            in.readBytes();
            in.expectEnd();
            if (role == null) {
                throw unauthenticated();
            }
            return new Identity(new Principal(user, groups), role, expiryMillis);
        } catch (FsException | IllegalArgumentException malformed) {
            throw unauthenticated();
        }
    }

    private static String signature(Secret secret, String text) {
        return ENCODER.encodeToString(secret.sign(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static FsException unauthenticated() {
        return new FsException(
                ErrorCode.UNAUTHENTICATED,
                "the token is not of this cluster: check that the secret file, or the token given to you, belongs to it");
    }
}
