package io.lambdafs.cluster.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests how doctor judges the answers of NDB's management servers and programs. */
class NdbChecksTest {
    private static final String STATUS = """
        node status
        nodes: 4
        node.1.type: NDB
        node.1.status: STARTED
        node.1.version: 591618
        node.2.type: NDB
        node.2.status: NO_CONTACT
        node.49.type: MGM
        node.49.status: CONNECTED
        node.51.type: API
        node.51.status: NO_CONTACT

        """;

    private static List<String> lines(List<Finding> findings) {
        return findings.stream().map(Finding::line).toList();
    }

    /** Answers one question as a management server does. */
    private static CompletableFuture<String> serve(ServerSocket server) {
        return CompletableFuture.supplyAsync(() -> {
            try (Socket socket = server.accept()) {
                String asked = new BufferedReader(
                                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                        .readLine();
                socket.getOutputStream().write(STATUS.getBytes(StandardCharsets.US_ASCII));
                return asked;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void shouldNameManagementServersThatDoNotAnswerAndDataNodesThatHaveNotStarted() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<String> asked = serve(server);
            String address = "127.0.0.1:" + server.getLocalPort();
            List<String> lines = lines(NdbChecks.lookAt("127.0.0.1:1," + address));
            assertThat(asked.get()).isEqualTo("get status");
            assertThat(lines).hasSize(4);
            assertThat(lines.get(0)).startsWith("fault").contains("127.0.0.1:1 does not answer", "start ndb_mgmd");
            assertThat(lines.get(1)).startsWith("ok").contains(address + " answers");
            assertThat(lines.get(2)).startsWith("ok").contains("data node 1 has started");
            assertThat(lines.get(3)).startsWith("fault").contains("data node 2 is NO_CONTACT", "start ndbmtd");
        }
    }

    @Test
    void shouldSayWhereDataMemoryIsNearlyFull() {
        List<String> lines = lines(NdbChecks.memory("""
            Connected to management server at localhost port 1186 (using cleartext)
            Node 1: Data usage is 80%(2560 32K pages of total 3200)
            Node 1: Index usage is 0%(108 8K pages of total 12832)
            Node 2: Data usage is 81%(2592 32K pages of total 3200)
            """));
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("ok").contains("data node 1 uses 80 %");
        assertThat(lines.get(1)).startsWith("fault").contains("data node 2 uses 81 %", "raise DataMemory");
        assertThat(lines(NdbChecks.memory("nobody"))).singleElement().asString().startsWith("unknown");
    }

    @Test
    void shouldSayWhereAnswersWaitForRareCheckpoints() {
        String configured = "1 2000\n2 100\n";
        assertThat(lines(NdbChecks.checkpoints(configured, false))).allMatch(each -> each.startsWith("ok"));
        List<String> lines = lines(NdbChecks.checkpoints(configured, true));
        assertThat(lines.get(0)).startsWith("fault").contains("every 2000 ms", "TimeBetweenGlobalCheckpoints");
        assertThat(lines.get(1)).startsWith("ok");
    }
}
