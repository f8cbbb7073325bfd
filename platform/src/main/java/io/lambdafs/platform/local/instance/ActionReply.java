package io.lambdafs.platform.local.instance;

/**
 * The reply of an instance to {@code /init} or {@code /run}. Immutable except the body's bytes.
 *
 * @param status HTTP status
 * @param body JSON
 */
@SuppressWarnings("ArrayRecordComponent") // Bodies are passed on, never compared.
public record ActionReply(int status, byte[] body) {}
