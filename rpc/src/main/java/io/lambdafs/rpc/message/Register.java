package io.lambdafs.rpc.message;

/**
 * The first message of an instance that has dialled back to a client's TCP server. Answered by {@link Done} or {@link
 * Failed}.
 *
 * @param deployment of the instance, 0-based
 * @param instance its id, as the platform names it
 * @param epoch its epoch
 * @param registration the one-time secret from the client's HTTP call
 */
public record Register(int deployment, String instance, long epoch, String registration) implements Message {
    /** Omits the one-time secret. */
    @Override
    public String toString() {
        return "Register[deployment=" + deployment + ", instance=" + instance + ", epoch=" + epoch + "]";
    }
}
