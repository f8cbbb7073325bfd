package io.lambdafs.rpc;

import java.util.function.Consumer;

/**
 * What one end does with a connection. Called on the event loop that read the frame, so it must not block: a cheap answer is given
 * at once, anything else later from another thread.
 */
public interface ConnectionHandler {
    /** A connection stands; nothing has been received on it. */
    default void opened(Connection connection) {}

    /**
     * A request came.
     *
     * @param reply takes the reply; once, from any thread; after the connection closed it does nothing
     */
    void request(Connection connection, Message message, Consumer<Message> reply);

    /** The connection has closed. Called once, after everything else. */
    default void closed(Connection connection) {}
}
