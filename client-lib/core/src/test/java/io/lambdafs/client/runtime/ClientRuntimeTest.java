package io.lambdafs.client.runtime;

import static io.lambdafs.client.block.MemoryDatanodes.bytes;
import static io.lambdafs.client.block.MemoryDatanodes.located;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.ClientFixture;
import io.lambdafs.client.block.BlockTransfer;
import io.lambdafs.client.block.MemoryDatanodes;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class ClientRuntimeTest {
    /** A certificate that is only loaded, never used for a connection. Valid for a hundred years. */
    private static final String CA = """
            -----BEGIN CERTIFICATE-----
            MIIBfDCCASGgAwIBAgIUD+rGry7kDje7Psqn7juX1BnZL5MwCgYIKoZIzj0EAwIw
            EjEQMA4GA1UEAwwHdGVzdCBDQTAgFw0yNjExMjYxNjI0NDRaGA8yMTI2MTEwMjE2
            MjQ0NFowEjEQMA4GA1UEAwwHdGVzdCBDQTBZMBMGByqGSM49AgEGCCqGSM49AwEH
            A0IABNofMjh4ZZKRfPHMASl3s8iEiuUl295KO2HrpmhG7dzaJ/IbH3lQjvMfWfJh
            0GbrvoMfNs2GXsVjTJ8I1xRARlmjUzBRMB0GA1UdDgQWBBRcEt9z1B+ZWMNFL+iG
            FvVbyzx/CjAfBgNVHSMEGDAWgBRcEt9z1B+ZWMNFL+iGFvVbyzx/CjAPBgNVHRMB
            Af8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQDTUT/Oj6g7mRCQnxNH40aSR79N
            Gbu02u3RNXG6MUn3+wIhAIVbUJA0gsMOT3tH1DQVT3otmZXrycwCeQ2pY1ovrnIt
            -----END CERTIFICATE-----
            """;

    private static final Block BLOCK = new Block(5, 3, 1_000, 0);
    private static final LocatedBlock LOCATED = located(BLOCK, 0, 1);

    @TempDir
    Path folder;

    private final List<String> asked = new ArrayList<>();

    /** Notes what it is asked, and reaches nobody. */
    private final class Noted implements Transport {
        private final String peers;

        Noted(String peers) {
            this.peers = peers;
        }

        @Override
        public CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler) {
            asked.add("listens for " + peers);
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler) {
            asked.add("dials as " + peers);
            return CompletableFuture.failedFuture(FsException.unavailable("says the test"));
        }

        @Override
        public Transport secured(Tls tls, TlsPeers kind) {
            return new Noted(kind.name());
        }

        @Override
        public void close() {}
    }

    private static ClientConfigBuilder config(String gateway) {
        return ClientConfig.builder()
                .gateway(URI.create(gateway))
                .user("alice")
                .groups(List.of("staff"))
                .insecure(true);
    }

    private ClientRuntime runtime(Transport transport) {
        return ClientRuntime.of(new ClientRuntime.Context(new ManualScheduler(), kind -> transport, new Random(1)));
    }

    private void listensAndReads(ClientConfig config) {
        ClientRuntime runtime = runtime(new Noted("anybody"));
        runtime.cluster(config).join();
        assertThat(ClientFixture.failure(runtime.blocks(config).read(LOCATED).read(0, 1)))
                .hasMessageContaining("says the test");
    }

    @Test
    void shouldUseTlsWithInstancesAndWithDatanodesWhereThereIsACa() throws IOException {
        Path ca = Files.writeString(folder.resolve("ca.pem"), CA);

        listensAndReads(config("https://127.0.0.1:1").tlsCa(ca).build());

        assertThat(asked).containsOnly("listens for INSTANCE_TO_USER", "dials as USERS");
    }

    @Test
    void shouldUseNoTlsWhereThereIsNoCa() {
        listensAndReads(config("http://127.0.0.1:1").build());

        assertThat(asked).containsOnly("listens for anybody", "dials as anybody");
    }

    @Test
    void shouldCloseConnectionsToDatanodesWithItsLastClient() {
        MemoryDatanodes datanodes = new MemoryDatanodes();
        datanodes.blocks.put(BLOCK.label(), bytes(1_000));
        ClientRuntime runtime = runtime(datanodes).retained().retained();
        BlockTransfer blocks = runtime.blocks(config("http://127.0.0.1:1").build());
        ClientFixture.get(blocks.read(LOCATED).read(0, 1));

        runtime.release();
        assertThat(datanodes.lines).hasSize(1).allMatch(MemoryDatanodes.Line::isOpen);
        runtime.release();
        assertThat(datanodes.lines).noneMatch(MemoryDatanodes.Line::isOpen);
    }

    @Test
    void shouldShareConnectionsAmongClientsOfOneCluster() {
        ClientRuntime runtime = runtime(new Noted("anybody"));
        ClusterConnections one = runtime.cluster(config("http://127.0.0.1:1").build());

        assertThat(runtime.cluster(config("http://127.0.0.1:1").user("bob").build()))
                .isSameAs(one);
        assertThat(runtime.cluster(config("http://127.0.0.1:2").build())).isNotSameAs(one);
        assertThat(runtime.cluster(config("http://127.0.0.1:1").deployments(9).build()))
                .isNotSameAs(one);
    }
}
