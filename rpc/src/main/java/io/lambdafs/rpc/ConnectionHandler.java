package io.lambdafs.rpc;

import io.lambdafs.rpc.message.Message;
import java.util.function.Consumer;

/**
 * One end's callbacks for a connection. Called on the event loop that read the frame, so it must not block: cheap
 * requests are answered at once, others later from another thread.
 */
public interface ConnectionHandler {
    /** Called when a connection is open, before anything is received. */
    default void opened(Connection connection) {}

    /**
     * Called with each request.
     *
     * @param reply accepts the reply, once, from any thread; ignored after the connection has closed
     */
    void request(Connection connection, Message message, Consumer<Message> reply);

    /** Called once, after everything else, when the connection has closed. */
    default void closed(Connection connection) {}
}
