package io.lambdafs.benchmarks.phases;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.benchmarks.peers.IndexServers;
import io.lambdafs.hammer.phases.PhaseTarget;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Connects {@link IndexFs}; a separate class, because its dependencies are not on the class path of other measurements.
 * Stateless.
 */
final class IndexClient {
    private static final int TIMERS = 4_096;

    private IndexClient() {}

    /** Opens one for the process's life. */
    static PhaseTarget open(JsonNode configuration) {
        SystemScheduler scheduler = new SystemScheduler("indexfs", 1, TIMERS);
        NettyTransport transport = new NettyTransport(StoreMessages.codec(), 1, "indexfs-io", TransportLimits.DEFAULT);
        Tokens tokens = Tokens.signed(
                Secret.load(Path.of(configuration.path(IndexServers.SECRET_FILE).asText())));
        String[] ports = configuration.path(IndexServers.PORTS).asText().split(",", -1);
        return new IndexFs(
                Arrays.stream(ports)
                        .map(port -> StoreClient.connect(
                                transport,
                                scheduler,
                                new InetSocketAddress(Hosts.loopback(), Integer.parseInt(port)),
                                tokens))
                        .toList(),
                System::nanoTime);
    }
}
