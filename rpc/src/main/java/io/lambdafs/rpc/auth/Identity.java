package io.lambdafs.rpc.auth;

import io.lambdafs.model.inode.Principal;

/**
 * The identity proved by a token. Immutable.
 *
 * @param expiryMillis wall clock, milliseconds since 1970, from which the token is refused
 */
public record Identity(Principal principal, Role role, long expiryMillis) {}
