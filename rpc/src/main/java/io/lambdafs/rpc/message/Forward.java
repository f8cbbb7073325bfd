package io.lambdafs.rpc.message;

/**
 * Requests that a message be sent over a lent connection; the reply is the instance's, or {@link Failed}.
 *
 * @param connection id from {@link Lend}
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
