package io.lambdafs.coordinator.direct;

import io.lambdafs.model.Principal;
import io.lambdafs.rpc.Bind;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.auth.Authentication;
import io.lambdafs.rpc.auth.Role;
import io.lambdafs.rpc.auth.Tokens;
import java.time.Duration;
import java.util.List;

/** What instances show each other, and what they ask to see. Thread-safe. */
final class Credentials {
    private static final Principal SERVICE = new Principal("lambdafs", List.of(Principal.SUPERGROUP));
    private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);

    private final Tokens tokens;

    Credentials(Tokens tokens) {
        this.tokens = tokens;
    }

    /** Proves that this end is part of the cluster. */
    Bind proof() {
        return new Bind(tokens.mint(SERVICE, Role.SERVICE, TOKEN_LIFE));
    }

    /** Lets nothing through to a handler until the other end has proved the same. */
    Authentication door(ConnectionHandler behind) {
        return Authentication.ofServices(tokens, behind);
    }
}
