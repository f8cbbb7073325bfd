package io.lambdafs.rpc;

/**
 * Asks for a message to be sent over a connection that is lent; the answer is that of its instance, or {@link Failed}.
 *
 * @param connection as {@link Lend} named it
 * @param timeoutMillis how long to wait for the instance's answer, at least 1
 * @param message a {@link Bind} or an {@link OperationRequest}
 */
public record Forward(long connection, long timeoutMillis, Message message) implements Message {
    public Forward {
        if (!(message instanceof Bind) && !(message instanceof OperationRequest)) {
            throw new IllegalArgumentException(
                    message.getClass().getSimpleName() + " is not for an instance: a token or an operation is");
        }
    }
}
