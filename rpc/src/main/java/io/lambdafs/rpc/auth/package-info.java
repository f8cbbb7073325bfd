/**
 * Who asks: a secret that a cluster makes for itself, tokens of clients signed with it, the handler in front of a server that lets
 * nobody pass without one, and the proof that parts of λFS give each other. Identities come from tokens only, never from what a message says about itself. Other proofs (TLS client
 * certificates, Kerberos, delegation) would replace {@link io.lambdafs.rpc.auth.Tokens} behind {@link
 * io.lambdafs.rpc.Bind} and leave the rest as it is.
 */
@NullMarked
package io.lambdafs.rpc.auth;

import org.jspecify.annotations.NullMarked;
