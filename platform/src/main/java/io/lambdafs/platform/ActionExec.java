package io.lambdafs.platform;

/**
 * The code of a function and its runtime. Immutable; empty strings stand for absent values.
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

    /** Returns a runtime that contains its code. */
    public static ActionExec ofKind(String kind) {
        return new ActionExec(kind, "", "", "", false);
    }
}
