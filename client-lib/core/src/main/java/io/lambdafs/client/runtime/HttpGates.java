package io.lambdafs.client.runtime;

import io.lambdafs.client.http.HttpGate;
import io.lambdafs.client.tcp.TcpServer;
import io.lambdafs.model.time.Scheduler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/**
 * The HTTP gates of a cluster's deployments, each notified of its deployment's own and borrowed connections.
 * Thread-safe.
 */
final class HttpGates implements TcpServer.Listener {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int MAX_WAITING = 65_536;

    /** Gates by deployment, created on demand. */
    private final Map<Integer, HttpGate> gates = new ConcurrentHashMap<>();

    private final IntFunction<HttpGate> maker;
    private final HttpGate narrow;

    HttpGates(ClusterConnections.Key key, Scheduler scheduler) {
        HttpGate.Limits limits = new HttpGate.Limits(
                SECOND_NANOS / key.replacements(),
                key.httpInFlight(),
                MAX_WAITING,
                key.tcp().enabled());
        maker = deployment -> new HttpGate(key.actionPrefix() + deployment, limits, scheduler);
        narrow = new HttpGate("any deployment", new HttpGate.Limits(0, 1, MAX_WAITING, false), scheduler);
    }

    HttpGate of(int deployment) {
        HttpGate known = gates.get(deployment);
        return known != null ? known : gates.computeIfAbsent(deployment, maker::apply);
    }

    /**
     * Returns a single gate for all deployments that admits one call at a time, used while the platform thrashes and
     * nothing is connected: concurrent calls would displace each other's instances.
     */
    HttpGate narrow() {
        return narrow;
    }

    /** Lets waiting requests look for connections again. */
    void release() {
        gates.values().forEach(HttpGate::release);
    }

    @Override
    public void connected(int deployment) {
        of(deployment).connected();
        narrow.release();
    }

    @Override
    public void disconnected(int deployment) {
        of(deployment).disconnected();
    }
}
