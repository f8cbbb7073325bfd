package io.lambdafs.client.tcp;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.auth.Role;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A client's credentials: a given token, or tokens minted from the cluster's secret (a process that can read that file
 * is trusted to name its user), each valid for an hour and renewed at half-time. Thread-safe.
 */
public final class Credentials {
    static final Duration LIFETIME = Duration.ofHours(1);

    private final Scheduler scheduler;
    private final Principal principal;
    private final @Nullable Tokens tokens;
    private volatile Minted current;

    private record Minted(String token, long renewAtMillis) {}

    private Credentials(Scheduler scheduler, Principal principal, @Nullable Tokens tokens, Minted first) {
        this.scheduler = scheduler;
        this.principal = principal;
        this.tokens = tokens;
        this.current = first;
    }

    public static Credentials of(ClientConfig config, Scheduler scheduler) {
        Principal principal = config.principal();
        String given = config.token();
        if (given != null) {
            return new Credentials(scheduler, principal, null, new Minted(given, Long.MAX_VALUE));
        }
        Secret secret = config.secret();
        Tokens tokens = secret == null
                ? Tokens.insecure()
                : Tokens.signed(secret, () -> Instant.ofEpochMilli(scheduler.currentTimeMillis()));
        return new Credentials(scheduler, principal, tokens, mint(tokens, principal, scheduler));
    }

    private static Minted mint(Tokens tokens, Principal principal, Scheduler scheduler) {
        String token = tokens.mint(principal, Role.CLIENT, LIFETIME);
        return new Minted(token, scheduler.currentTimeMillis() + LIFETIME.toMillis() / 2);
    }

    public Principal principal() {
        return principal;
    }

    /** Returns a token that is valid for a while yet, as far as this client can know. */
    public String token() {
        Minted minted = current;
        if (tokens != null && scheduler.currentTimeMillis() >= minted.renewAtMillis()) {
            minted = mint(tokens, principal, scheduler);
            current = minted;
        }
        return minted.token();
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "Credentials[" + principal.user() + "]";
    }
}
