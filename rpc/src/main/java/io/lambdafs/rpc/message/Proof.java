package io.lambdafs.rpc.message;

/**
 * One step in the mutual proof that two processes hold the same secret, or the same user credentials. The dialling end
 * sends a nonce without a proof, receives a nonce with the other's proof, then sends its own proof; that is answered by
 * {@link Done} between λFS's services, by {@link Lend} between a user's processes, or by {@link Failed}.
 *
 * @param nonce of the sender
 * @param proof over both nonces, under the shared secret; empty in the first message
 */
public record Proof(String nonce, String proof) implements Message {}
