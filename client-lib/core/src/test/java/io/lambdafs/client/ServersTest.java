package io.lambdafs.client;

import static io.lambdafs.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.client.runtime.ClientRuntime;
import io.lambdafs.client.runtime.ClusterConnections;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.client.tcp.TcpServer;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.rpc.transports.TransportKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** TCP servers of which each is for so many clients. */
class ServersTest {
    private static final FsPath PATH = FsPath.of("/d/f");

    private final ClientFixture fixture = new ClientFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<LambdaFs> open(ClientConfigBuilder config, int clients) {
        List<LambdaFs> open = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            open.add(fixture.open(config));
        }
        return open;
    }

    private static void awaitServers(LambdaFs client, int servers) {
        await().until(() -> client.metrics().snapshot().servers() == servers);
    }

    /** The ports that the last HTTP call named. */
    private List<Integer> portsNamed() {
        List<TestGateway.Called> calls = fixture.gateway.calls();
        return calls.get(calls.size() - 1).tcp().stream().map(TcpOffer::port).toList();
    }

    @Test
    void shouldHaveAServerForEveryFourClientsAndNameThemAll() {
        List<LambdaFs> clients = open(fixture.config().maxClientsPerServer(4), 16);
        LambdaFs other = fixture.open();
        fixture.gateway.answersWith(ClientFixture::serve);

        awaitServers(clients.get(0), 4);
        awaitServers(other, 1);
        get(clients.get(15).stat(PATH));

        assertThat(portsNamed()).hasSize(4).doesNotHaveDuplicates();
        awaitServers(fixture.open(fixture.config().maxClientsPerServer(4)), 5);
    }

    @Test
    void shouldGiveAFreedSeatToTheNextClientAndCloseAServerWithItsLast() {
        ClientConfigBuilder config = fixture.config().maxClientsPerServer(2);
        List<LambdaFs> clients = open(config, 4);
        awaitServers(clients.get(0), 2);

        clients.get(1).close();
        LambdaFs next = fixture.open(config);
        awaitServers(next, 2);

        clients.get(2).close();
        clients.get(3).close();
        awaitServers(next, 1);
    }

    @Test
    void shouldShareServersEvenlyWhereThereMayBeNoMore() {
        ClusterConnections cluster =
                fixture.runtime.cluster(fixture.config().maxClientsPerServer(1).build());
        Map<TcpServer, Integer> seats = new HashMap<>();

        for (int i = 0; i < 3 * ClusterConnections.MAX_SERVERS; i++) {
            seats.merge(cluster.join(), 1, Integer::sum);
        }

        Collection<Integer> taken = seats.values();
        assertThat(taken).hasSize(ClusterConnections.MAX_SERVERS).containsOnly(3);
    }

    @Test
    void shouldTakeThePortThatAnEndedServerLeftFree() throws IOException {
        int first = firstOfTwoFreePorts();
        ClientConfigBuilder config = fixture.config().maxClientsPerServer(1).set("tcp.port", String.valueOf(first));
        List<LambdaFs> clients = open(config, 2);
        fixture.gateway.answersWith(ClientFixture::serve);
        awaitServers(clients.get(1), 2);

        clients.get(0).close();
        LambdaFs next = fixture.open(config);
        get(next.stat(PATH));

        assertThat(portsNamed()).containsExactlyInAnyOrder(first, first + 1);
    }

    /** Below those that systems give to outgoing connections, of which this test makes some. */
    private static int firstOfTwoFreePorts() throws IOException {
        IOException last = new IOException();
        for (int tries = 0; tries < 100; tries++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket one = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                    ServerSocket two = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress())) {
                return Math.min(one.getLocalPort(), two.getLocalPort());
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw last;
    }

    @Test
    void shouldNotKeepTheProcessesRuntimeForAClientThatCouldNotBeOpened() {
        ClientConfig config = fixture.config()
                .tcp(new ClientConfig.TcpUse(true, "127.0.0.1", "127.0.0.1", 65_535, 1, TransportKind.NETTY))
                .build();
        LambdaFs first = LambdaFs.open(config);
        // Its server would need the port after the last.
        assertThatExceptionOfType(FsException.class)
                .isThrownBy(() -> LambdaFs.open(config))
                .withMessageContaining("tcp.port");
        first.close();
        ClientRuntime next = ClientRuntime.process();
        next.release();

        ClientRuntime afterThat = ClientRuntime.process();
        afterThat.release();

        assertThat(afterThat).isNotSameAs(next);
    }
}
