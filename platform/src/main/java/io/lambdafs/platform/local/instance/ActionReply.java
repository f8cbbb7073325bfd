package io.lambdafs.platform.local.instance;

/**
 * What an instance answered to {@code /init} or {@code /run}. Immutable but for the body's bytes.
 *
 * @param status HTTP status
 * @param body JSON
 */
@SuppressWarnings("ArrayRecordComponent") // Bodies are handed on, never compared.
public record ActionReply(int status, byte[] body) {}
