package io.lambdafs.rpc.auth;

import io.lambdafs.model.Principal;

/**
 * What a token proves. Immutable.
 *
 * @param expiryMillis wall clock, milliseconds since 1970, from which on the token is refused
 */
public record Identity(Principal principal, Role role, long expiryMillis) {}
