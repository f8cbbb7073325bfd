package io.lambdafs.rpc;

/**
 * Announces an instance that has been called on behalf of the receiver's TCP server. Answered by {@link Done}.
 *
 * @param deployment of the instance, 0-based
 * @param registration the one-time secret that it brings in its {@link Register}
 */
public record Expect(int deployment, String registration) implements Message {
    /** Without the one-time secret. */
    @Override
    public String toString() {
        return "Expect[deployment=" + deployment + "]";
    }
}
