package io.lambdafs.client.tcp;

import io.lambdafs.model.time.Scheduler;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The one-time secrets with which instances register. Each is issued for one HTTP call and its deployment and valid
 * once, for {@link #LIFETIME}; it is 128 random bits with an id, so that lookup does not depend on the secret and
 * comparison takes constant time. At most {@value #MAX} are outstanding; a further one displaces the oldest.
 * Thread-safe.
 */
public final class Registrations {
    static final Duration LIFETIME = Duration.ofSeconds(30);
    public static final int MAX = 65_536;
    /** Not a valid id; if drawn, once in 2^64 times, it would simply not be found. */
    private static final long NONE = 0;

    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final Map<Long, Issued> outstanding = new LinkedHashMap<>();

    private record Issued(int deployment, String secret, long expiresAtNanos) {
        @Override
        public String toString() {
            return "Issued[deployment=" + deployment + "]";
        }
    }

    /** @param random a cryptographic source */
    Registrations(Scheduler scheduler, RandomGenerator random) {
        this.scheduler = scheduler;
        this.random = random;
    }

    /** Issues a secret for a call of a deployment: {@code id.secret} in hexadecimal. */
    String issue(int deployment) {
        String registration = draw(random);
        expect(deployment, registration);
        return registration;
    }

    /** Draws a secret without registering it. */
    public static String draw(RandomGenerator random) {
        byte[] secret = new byte[16];
        random.nextBytes(secret);
        return HexFormat.of().toHexDigits(random.nextLong()) + "."
                + HexFormat.of().formatHex(secret);
    }

    /** Registers a secret {@link #draw drawn} elsewhere; returns false if it is malformed. */
    public boolean expect(int deployment, String registration) {
        long id = id(registration);
        if (id == NONE) {
            return false;
        }
        long now = scheduler.nanoTime();
        Issued issued = new Issued(deployment, registration.substring(17), now + LIFETIME.toNanos());
        synchronized (outstanding) {
            dropExpired(now);
            outstanding.put(id, issued);
        }
        return true;
    }

    /** Redeems a secret: returns whether it was issued for the deployment, unused and unexpired. */
    boolean redeem(int deployment, String registration) {
        long now = scheduler.nanoTime();
        Issued issued = take(registration);
        if (issued == null) {
            return false;
        }
        byte[] given = registration.substring(17).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(issued.secret().getBytes(StandardCharsets.US_ASCII), given)
                && issued.deployment() == deployment
                && now - issued.expiresAtNanos() < 0;
    }

    /** Withdraws a secret that is no longer needed. */
    public void withdraw(String registration) {
        take(registration);
    }

    private @Nullable Issued take(String registration) {
        long id = id(registration);
        synchronized (outstanding) {
            return outstanding.remove(id);
        }
    }

    private static long id(String registration) {
        if (registration.length() != 49 || registration.charAt(16) != '.') {
            return NONE;
        }
        try {
            return HexFormat.fromHexDigitsToLong(registration, 0, 16);
        } catch (IllegalArgumentException malformed) {
            return NONE;
        }
    }

    private void dropExpired(long now) {
        Iterator<Issued> oldest = outstanding.values().iterator();
        while (oldest.hasNext()) {
            Issued issued = oldest.next();
            if (outstanding.size() < MAX && now - issued.expiresAtNanos() < 0) {
                return;
            }
            oldest.remove();
        }
    }
}
