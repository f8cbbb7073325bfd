package io.lambdafs.platform;

/**
 * What a function runs. Immutable; empty strings stand for what is not given.
 *
 * @param kind the runtime, such as {@code java:17} or {@code blackbox}
 * @param image the container image of a {@code blackbox} kind
 * @param main the entry point
 * @param code source text, or Base64 where {@code binary}
 * @param binary whether {@code code} is Base64
 */
public record ActionExec(String kind, String image, String main, String code, boolean binary) {
    public ActionExec {
        if (kind.isBlank()) {
            throw new IllegalArgumentException("exec.kind is missing");
        }
    }

    /** A runtime that brings its code along. */
    public static ActionExec ofKind(String kind) {
        return new ActionExec(kind, "", "", "", false);
    }
}
