package io.lambdafs.client.sharing;

import io.lambdafs.client.config.ClientConfig.TcpUse;
import io.lambdafs.client.tcp.InstanceConnection;
import io.lambdafs.client.tcp.TcpServer;
import java.util.function.Consumer;

/** This process's own connections, as needed by {@link Sharing}. Thread-safe. */
public interface OwnConnections {
    TcpUse tcp();

    /** Returns the port of the first server that listens; 0 for none. */
    int port();

    void forEachOwn(Consumer<InstanceConnection> action);

    /** Permits the registration of an instance called by another process. */
    void expect(int deployment, String registration);

    /** Takes a hanging instance out of service. */
    void giveUp(InstanceConnection hung);

    /** Returns the listener of borrowed connections, which are not lent in turn. */
    TcpServer.Listener borrowed();
}
