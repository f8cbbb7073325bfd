package io.lambdafs.client.runtime;

import io.lambdafs.client.http.HttpGate;
import io.lambdafs.client.tcp.TcpServer;
import io.lambdafs.model.Scheduler;

/** The gates before a cluster's deployments, each told of its deployment's connections, its own and borrowed ones. Thread-safe. */
final class HttpGates implements TcpServer.Listener {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int MAX_WAITING = 65_536;

    private final HttpGate[] gates;
    private final HttpGate narrow;

    HttpGates(ClusterConnections.Key key, Scheduler scheduler) {
        HttpGate.Limits limits = new HttpGate.Limits(
                SECOND_NANOS / key.replacements(),
                key.httpInFlight(),
                MAX_WAITING,
                key.tcp().enabled());
        gates = new HttpGate[key.deployments()];
        for (int i = 0; i < gates.length; i++) {
            gates[i] = new HttpGate(key.actionPrefix() + i, limits, scheduler);
        }
        narrow = new HttpGate("any deployment", new HttpGate.Limits(0, 1, MAX_WAITING, false), scheduler);
    }

    HttpGate of(int deployment) {
        return gates[deployment];
    }

    /**
     * One gate before all deployments that one call at a time passes, for when the platform thrashes and nothing is connected: of several
     * calls each would take the place of the instance that the one before has just got.
     */
    HttpGate narrow() {
        return narrow;
    }

    /** Lets requests that wait for an instance of their deployment look for connections again. */
    void release() {
        for (HttpGate gate : gates) {
            gate.release();
        }
    }

    @Override
    public void connected(int deployment) {
        gates[deployment].connected();
        narrow.release();
    }

    @Override
    public void disconnected(int deployment) {
        gates[deployment].disconnected();
    }
}
