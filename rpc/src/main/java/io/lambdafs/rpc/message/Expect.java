package io.lambdafs.rpc.message;

/**
 * Announces an instance called on behalf of the receiver's TCP server. Answered by {@link Done}.
 *
 * @param deployment of the instance, 0-based
 * @param registration the one-time secret in its {@link Register}
 */
public record Expect(int deployment, String registration) implements Message {
    /** Omits the one-time secret. */
    @Override
    public String toString() {
        return "Expect[deployment=" + deployment + "]";
    }
}
