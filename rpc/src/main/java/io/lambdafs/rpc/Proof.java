package io.lambdafs.rpc;

/**
 * A step of the proof between two processes that they hold the same secret, or the same credentials of a user. The one that dialled
 * sends a nonce and no proof, is answered by a nonce and the other's proof, and then sends its own; answered by {@link Done} among the
 * parts of λFS, by {@link Lend} between processes of a user, or by {@link Failed}.
 *
 * @param nonce of the one that sends it
 * @param proof of both nonces, under what both hold; empty in the first message
 */
public record Proof(String nonce, String proof) implements Message {}
