/**
 * Authentication: a cluster's secret, client tokens signed with it, the handler that admits only clients with a token,
 * and the mutual proof between λFS's services. Identities come from tokens only, never from a message's own claims.
 * Other proofs (TLS client certificates, Kerberos, delegation) would replace {@link io.lambdafs.rpc.auth.Tokens} behind
 * {@link io.lambdafs.rpc.message.Bind} and leave the rest as it is.
 */
@NullMarked
package io.lambdafs.rpc.auth;

import org.jspecify.annotations.NullMarked;
